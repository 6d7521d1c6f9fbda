import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { namedRepository } from './named-repository.js';
import { ROOT } from './root.js';
import { publishedPackages } from './workspace-packages.js';

// Publishes what is not published yet. The address of the repository is a parameter: provenance is refused for
// manifests that name no repository, or another one than that in which the workflow runs.
const [address] = process.argv.slice(2);
if (address === undefined || !URL.canParse(address)) {
  process.stderr.write('pnpm packages:release <address of the repository>\n');
  process.exit(2);
}

for (const { folder } of publishedPackages()) {
  const file = join(ROOT, folder, 'package.json');
  writeFileSync(file, namedRepository(readFileSync(file, 'utf8'), address, folder));
}
const { status } = spawnSync('npx', ['-y', 'pnpm', 'changeset', 'publish'], { cwd: ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;
