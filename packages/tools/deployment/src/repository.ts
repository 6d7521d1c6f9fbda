import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository: this module lies in packages/tools/deployment/src, or in dist in place of src. */
export const ROOT: string = fileURLToPath(new URL('../../../../', import.meta.url));

/** The folder of the container files. */
export const DOCKER_FOLDER: string = join(ROOT, 'docker');
