import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const MANIFEST = '@vestibule/database/package.json';

/** Returns the folder in which this package is installed, also for a program that bundles its modules. */
export function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve(MANIFEST));
}

/** Resolves a dependency of this package. */
export function fromPackage(specifier: string): string {
  return createRequire(`${packageFolder()}/`).resolve(specifier);
}
