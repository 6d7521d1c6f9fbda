import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const MANIFEST = '@vestibule/database/package.json';

/** Where this package is installed, also for a program into which its modules were bundled. */
export function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve(MANIFEST));
}

/** Where something is installed that this package depends on. */
export function fromPackage(specifier: string): string {
  return createRequire(`${packageFolder()}/`).resolve(specifier);
}
