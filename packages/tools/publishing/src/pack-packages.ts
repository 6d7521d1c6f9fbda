import { execFile } from 'node:child_process';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { PACKAGE_MANAGER, ROOT } from './root.js';
import type { WorkspacePackage } from './workspace-packages.js';

const run = promisify(execFile);

/** A package as it would be published. */
export interface PackedPackage {
  readonly name: string;
  readonly tarball: string;
}

/** Packs built packages into a folder as publishing does: versions instead of workspace references, no test sources. */
export async function packPackages(
  packages: readonly WorkspacePackage[],
  folder: string,
): Promise<readonly PackedPackage[]> {
  const packed: PackedPackage[] = [];
  for (const { folder: below, manifest } of packages) {
    const tarball = join(folder, `${basename(below)}.tgz`);
    await run('npx', ['-y', PACKAGE_MANAGER, 'pack', '--out', tarball], { cwd: join(ROOT, below) });
    packed.push({ name: manifest.name, tarball });
  }
  return packed;
}
