import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeTarball } from './judge-tarball.js';
import { packPackages } from './pack-packages.js';
import { tryExample } from './try-example.js';
import { publishedPackages } from './workspace-packages.js';

const print = (text: string) => {
  process.stdout.write(`${text}\n`);
};

const folder = await mkdtemp(join(tmpdir(), 'vestibule-packages-'));
try {
  const packed = await packPackages(publishedPackages(), folder);
  for (const { name, tarball } of packed) {
    const problems = await judgeTarball(tarball);
    print(`${problems.length === 0 ? 'good' : 'BAD '} ${name}`);
    for (const problem of problems) print(`     ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
  const tool = join(folder, 'tool');
  await mkdir(tool);
  print(`\nThe example tool, installed from these packages:\n\n${await tryExample(packed, tool)}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
