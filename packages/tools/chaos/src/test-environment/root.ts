import { fileURLToPath } from 'node:url';

/** The root of the repository: this module lies in packages/tools/chaos/src/test-environment, or in dist in place of src. */
export const ROOT: string = fileURLToPath(new URL('../../../../../', import.meta.url));
