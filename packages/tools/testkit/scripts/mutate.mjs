// Runs Stryker on a group of rules, in a copy of the repository, and reports the mutants that no test kills:
// pnpm mutation federation|metadata|clients|apps/federation|apps/registration [a part of the paths of the files]
// Equivalent mutants count as missed.
import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MUTATED_RULES } from './mutated-rules.mjs';
import { inCopy } from './repository-copy.mjs';

// Installed for this command only: too large for the development dependencies.
const STRYKER = { '@stryker-mutator/core': '9.6.1', '@stryker-mutator/vitest-runner': '9.6.1' };
const REPORT = 'mutants.json';
const VITEST_CONFIG = 'vitest.mutation.config.mjs';
const GLOBAL_SETUP = 'packages/tools/testkit/src/global-setup.ts';

const [name = '', wanted = ''] = process.argv.slice(2).filter((word) => word !== '--');
const rules = MUTATED_RULES[name];
if (rules === undefined)
  throw new TypeError(`pnpm mutation ${Object.keys(MUTATED_RULES).join('|')} [part of a path]`);

const STRYKER_CONFIG = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: VITEST_CONFIG, related: false },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 4_000,
  // Tests run on the sources directly: there is no compiler in between.
  tsconfigFile: 'none.json',
  // A test compares a file with the README.
  disableTypeChecks: false,
  inPlace: true,
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: REPORT },
};

const { files } = await inCopy(async (copy) => {
  await install(copy);
  const mutate = await mutatedFiles(copy);
  await writeFile(join(copy, 'stryker.config.json'), JSON.stringify({ ...STRYKER_CONFIG, mutate }));
  await writeFile(join(copy, VITEST_CONFIG), vitestConfig(copy));
  run(copy, ['node_modules/.bin/stryker', 'run', 'stryker.config.json']);
  return JSON.parse(await readFile(join(copy, REPORT), 'utf8'));
});

const mutants = Object.entries(files).flatMap(([file, { source, mutants: ofFile }]) =>
  ofFile.filter(({ status }) => status !== 'CompileError').map((mutant) => described(file, source, mutant)),
);
const survivors = mutants.filter(({ isNoticed }) => !isNoticed);
for (const { file, line, from, to } of survivors)
  process.stdout.write(`missed: ${file}:${line}: ${from} -> ${to}\n`);
const caught = mutants.length - survivors.length;
const score = caught / mutants.length;
process.stdout.write(`${caught} of ${mutants.length} caught (${(score * 100).toFixed(1)} %)\n`);
process.exitCode = score >= (rules.leastScore ?? 0) ? 0 : 1;

/** Installs the packages of the repository and Stryker. */
async function install(copy) {
  const file = join(copy, 'package.json');
  const root = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(
    file,
    JSON.stringify({ ...root, devDependencies: { ...root.devDependencies, ...STRYKER } }),
  );
  run(copy, ['npx', '-y', root.packageManager, 'install', '--no-frozen-lockfile', '--prefer-offline']);
}

/** The sources whose paths contain the given part. */
async function mutatedFiles(copy) {
  const files = await Promise.all(
    rules.sources.map(async (source) =>
      source.endsWith('/') ? (await readdir(join(copy, source))).map((file) => source + file) : [source],
    ),
  );
  const isWanted = (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file.includes(wanted);
  return files.flat().filter(isWanted);
}

function vitestConfig(copy) {
  const fromSources = { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } };
  const { tests, excludedTests = [], slowTests = ['none'], needsServices = false } = rules;
  const config = {
    environments: { ssr: fromSources, __vitest__: fromSources },
    test: {
      include: tests,
      // Tests of pages start services from their builds, which are not mutated.
      exclude: [`**/!(${slowTests.join('|')}).slow.test.ts`, '**/readme.test.ts', ...excludedTests],
      ...(needsServices && { globalSetup: [join(copy, GLOBAL_SETUP)] }),
      isolate: false,
      testTimeout: 60_000,
    },
  };
  return `export default ${JSON.stringify(config)};\n`;
}

/** Position and change of a mutant, on one line. */
function described(file, source, { location: { start, end }, replacement, status }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  const text = lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
    )
    .join('\n');
  const isNoticed = status === 'Killed' || status === 'Timeout';
  return { file, line: start.line, from: inLine(text), to: inLine(replacement ?? ''), isNoticed };
}

function inLine(text) {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function run(cwd, [command, ...args]) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}
