import { execFile } from 'node:child_process';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { PACKAGE_MANAGER, ROOT } from './root.js';
import type { WorkspacePackage } from './workspace-packages.js';

const run = promisify(execFile);

/** A package as it would be uploaded. */
export interface PackedPackage {
  readonly name: string;
  readonly tarball: string;
}

/**
 * Packs built packages into a folder as publishing does: versions in place of what the workspace says, no sources of
 * tests.
 */
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
