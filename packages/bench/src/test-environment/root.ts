import { fileURLToPath } from 'node:url';

/** The root of the repository: this module runs from packages/bench/dist/stage. */
export const ROOT: string = fileURLToPath(new URL('../../../../', import.meta.url));
