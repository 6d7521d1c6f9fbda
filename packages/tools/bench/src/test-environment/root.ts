import { fileURLToPath } from 'node:url';

/** The root of the repository: this module runs from packages/tools/bench/dist/test-environment. */
export const ROOT: string = fileURLToPath(new URL('../../../../../', import.meta.url));
