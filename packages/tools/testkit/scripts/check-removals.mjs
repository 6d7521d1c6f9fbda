import { spawnSync } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inCopy, ROOT } from './repository-copy.mjs';

/**
 * Removes one rule: a text in a file is replaced, and a test has to notice.
 * @typedef {object} Removal
 * @property {string} name
 * @property {string} file
 * @property {string} from Occurs once in the file.
 * @property {string} to
 * @property {readonly Pick<Removal, 'file' | 'from' | 'to'>[]} [also] Further occurrences of the rule.
 * @property {string} project
 * @property {readonly string[]} tests Test files, by the beginning of their paths.
 * @property {readonly string[]} [titles] Tests that all have to fail, by the end of their titles; without them any.
 */

/** For tests of packages without a database. */
const WITHOUT_SERVICES = 'vitest.without-services.config.ts';
const REPORT = 'removal.json';

/**
 * Removes one rule at a time, in a copy, and reports the removals that no test notices.
 * @param {readonly Removal[]} removals
 * @returns {Promise<boolean>} whether all of them were noticed, and there were any
 */
export async function checkRemovals(removals) {
  let missed = 0;
  await inCopy(async (copy) => {
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    const config = await readFile(join(copy, 'vitest.config.ts'), 'utf8');
    await writeFile(join(copy, WITHOUT_SERVICES), config.replace(/^ +globalSetup: .*\n/m, ''));
    for (const removal of removals) {
      const outcome = await outcomeOf(copy, removal);
      missed += outcome === 'caught' ? 0 : 1;
      process.stdout.write(`${outcome}: ${removal.name}\n`);
    }
  });
  process.stdout.write(`${removals.length - missed} of ${removals.length} caught\n`);
  return missed === 0 && removals.length > 0;
}

/**
 * The test result for one removal; `not possible` where the text does not occur exactly once.
 * @param {string} copy
 * @param {Removal} removal
 */
async function outcomeOf(copy, { also = [], ...removal }) {
  const undo = [];
  try {
    for (const { file, from, to } of [removal, ...also]) {
      const path = join(copy, file);
      const text = await readFile(path, 'utf8');
      if (text.split(from).length !== 2) return 'not possible';
      undo.push(() => writeFile(path, text));
      await writeFile(
        path,
        text.replace(from, () => to),
      );
    }
    return await runTests(copy, removal);
  } finally {
    for (const back of undo.toReversed()) await back();
  }
}

/**
 * @param {string} copy
 * @param {Pick<Removal, 'project' | 'tests' | 'titles'>} where
 */
async function runTests(copy, { project, tests, titles }) {
  const config = project.startsWith('apps/') ? [] : ['--config', WITHOUT_SERVICES];
  const runner = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${REPORT}`];
  const bail = titles === undefined ? ['--bail=1'] : [];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...runner, ...bail, ...config, '--project', project, ...tests],
    { cwd: copy, encoding: 'utf8' },
  );
  if (status === 0) return 'missed';
  const { testResults } = JSON.parse(await readFile(join(copy, REPORT), 'utf8'));
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status: outcome }) => outcome === 'failed')
    .map(({ title }) => title);
  // A file that cannot be loaded fails as well, and shows nothing.
  if (failed.length === 0) return `not possible:\n${(stdout + stderr).slice(-2_000)}`;
  const unmoved = (titles ?? []).filter((title) => !failed.some((one) => one.endsWith(title)));
  return unmoved.length === 0 ? 'caught' : `missed by ${unmoved.join('; ')}`;
}
