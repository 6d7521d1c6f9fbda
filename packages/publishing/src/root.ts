import { fileURLToPath } from 'node:url';

/** The folder of the repository; both the sources and the build lie three levels below it. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
