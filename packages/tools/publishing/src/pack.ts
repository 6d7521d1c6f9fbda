import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { namedRepository } from './named-repository.js';
import { type PackedPackage, packPackages, tarballName } from './pack-packages.js';
import { ROOT } from './root.js';
import { publishedPackages, type WorkspacePackage, withDependencies } from './workspace-packages.js';

const USAGE = `pnpm packages:pack FOLDER [PACKAGE…] [--repository URL]

Packs the published packages, or those named (as in \`tokens\`) with the packages that they need. For pnpm,
overrides.yaml refers to the tarballs of FOLDER, as a folder of the application.
--repository names the repository in the manifests, for a release: provenance is refused for manifests that name none.
`;

/** @throws Error with a message for the caller */
async function pack(parameters: readonly string[]): Promise<string> {
  const { positionals, values } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: { repository: { type: 'string' } },
  });
  const [folder, ...names] = positionals;
  if (folder === undefined) throw new Error('FOLDER is missing');
  const packages = withDependencies(publishedPackages(), names);
  if (values.repository !== undefined) nameRepository(packages, values.repository);
  const target = resolve(ROOT, folder);
  mkdirSync(target, { recursive: true });
  // Tarballs of an earlier call would be installed together with these.
  for (const { folder: below } of publishedPackages())
    rmSync(join(target, tarballName(below)), { force: true });
  const packed = await packPackages(packages, target);
  writeFileSync(join(target, 'overrides.yaml'), overrides(packed, basename(target)));
  return packed.map(({ tarball }) => `${join(folder, basename(tarball))}\n`).join('');
}

/**
 * Settings for pnpm, which looks in the registry for a package that another one needs, unlike npm also if it is given as a
 * tarball.
 * @param below the folder of the tarballs as the application names it
 */
function overrides(packed: readonly PackedPackage[], below: string): string {
  const lines = packed.map(({ name, tarball }) => `  "${name}": file:${below}/${basename(tarball)}\n`);
  return `overrides:\n${lines.join('')}`;
}

function nameRepository(packages: readonly WorkspacePackage[], address: string): void {
  if (!URL.canParse(address)) throw new Error('--repository must be a URL');
  for (const { folder } of packages) {
    const file = join(ROOT, folder, 'package.json');
    writeFileSync(file, namedRepository(readFileSync(file, 'utf8'), address, folder));
  }
}

try {
  process.stdout.write(await pack(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  process.exitCode = 2;
}
