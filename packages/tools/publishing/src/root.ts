import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository; both the sources and the build are three levels below it. */
export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** The package manager with its version, as in `pnpm@12.21.0`, from the manifest of the repository. */
export const PACKAGE_MANAGER: string = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
).packageManager;
