// Takes one rule of registration away at a time, in a copy, and tells whether a test notices:
// node apps/registration/scripts/check-removals.mjs [a part of the names]
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { allRemovals } from './removals.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const LEFT_OUT = ['.git', '.vestibule', '.turbo', 'node_modules'];
const RUNNER = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--reporter=dot'];
/** For the tests of packages that know no database. */
const WITHOUT_SERVICES = 'vitest.without-services.config.ts';

const wanted = process.argv[2] ?? '';
const removals = (await allRemovals(ROOT)).filter(({ name }) => name.includes(wanted));
const copy = await mkdtemp(join(tmpdir(), 'vestibule-removals-'));
let missed = 0;
try {
  // The packages' own folders of modules are links between packages, which the copy keeps.
  await cp(ROOT, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !LEFT_OUT.includes(relative(ROOT, path)),
  });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const config = await readFile(join(copy, 'vitest.config.ts'), 'utf8');
  await writeFile(join(copy, WITHOUT_SERVICES), config.replace(/^ +globalSetup: .*\n/m, ''));
  for (const removal of removals) {
    const outcome = await outcomeOf(removal);
    missed += outcome === 'caught' ? 0 : 1;
    process.stdout.write(`${outcome}: ${removal.name}\n`);
  }
} finally {
  await rm(copy, { recursive: true, force: true });
}
process.stdout.write(`${removals.length - missed} of ${removals.length} caught\n`);
process.exitCode = missed === 0 && removals.length > 0 ? 0 : 1;

/** What the tests say to one removal; `not possible` where the text to take away is not there once. */
async function outcomeOf({ file, from, to, project, tests }) {
  const config = project.startsWith('apps/') ? [] : ['--config', WITHOUT_SERVICES];
  const path = join(copy, file);
  const text = await readFile(path, 'utf8');
  if (text.split(from).length !== 2) return 'not possible';
  await writeFile(
    path,
    text.replace(from, () => to),
  );
  const { status, stdout } = spawnSync(
    process.execPath,
    [...RUNNER, ...config, '--project', project, ...tests],
    {
      cwd: copy,
      encoding: 'utf8',
    },
  );
  await writeFile(path, text);
  // A file that cannot be loaded fails as well, and proves nothing.
  const hasFailedTest = /Tests .*\d+ failed/.test(stripVTControlCharacters(stdout));
  return status === 0 ? 'missed' : hasFailedTest ? 'caught' : `not possible:\n${stdout.slice(-2_000)}`;
}
