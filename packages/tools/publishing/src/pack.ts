import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { namedRepository } from './named-repository.js';
import { packPackages } from './pack-packages.js';
import { ROOT } from './root.js';
import { publishedPackages } from './workspace-packages.js';

// Packs the published packages into a folder. With the address of the repository, the manifests name it: provenance is
// refused for manifests that name no repository, or another one than the workflow's.
const [folder, address] = process.argv.slice(2);
if (folder === undefined || (address !== undefined && !URL.canParse(address))) {
  process.stderr.write('pnpm packages:pack <folder> [address of the repository]\n');
  process.exit(2);
}

const packages = publishedPackages();
if (address !== undefined)
  for (const { folder: directory } of packages) {
    const file = join(ROOT, directory, 'package.json');
    writeFileSync(file, namedRepository(readFileSync(file, 'utf8'), address, directory));
  }

const target = resolve(ROOT, folder);
mkdirSync(target, { recursive: true });
for (const { name, tarball } of await packPackages(packages, target))
  process.stdout.write(`${name}: ${tarball}\n`);
