import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PACKAGE_MANAGER, ROOT } from './root.js';
import { runStep } from './run-step.js';
import type { WorkspacePackage } from './workspace-packages.js';

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
  const chosen = packages.flatMap(({ manifest }) => ['--filter', manifest.name]);
  await runStep(['npx', '-y', PACKAGE_MANAGER, ...chosen, 'pack', '--pack-destination', folder], {
    folder: ROOT,
  });
  return Promise.all(
    packages.map(async ({ folder: below, manifest: { name, version } }) => {
      const tarball = join(folder, tarballName(below));
      await rename(join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`), tarball);
      return { name, tarball };
    }),
  );
}

/** The name of the tarball of a package, by its folder. */
export function tarballName(folder: string): string {
  return `${basename(folder)}.tgz`;
}
