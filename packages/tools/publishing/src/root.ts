import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** The folder of the repository; both the sources and the build are three levels below it. */
export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** The package manager with its version, as in `pnpm@12.21.0`, from the manifest of the repository. */
export const PACKAGE_MANAGER: string = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
).packageManager;

const { catalog }: { catalog: Readonly<Record<string, string>> } = parse(
  readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8'),
);

/** The version in which the workspace uses a package. @throws Error if it is not in the catalog */
export function catalogVersion(name: string): string {
  const version = catalog[name];
  if (version === undefined) throw new Error(`${name} is not in the catalog of pnpm-workspace.yaml`);
  return version;
}
