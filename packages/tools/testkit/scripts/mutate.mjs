// Runs Stryker on rules of a package that need no store, in a copy, and reports the mutants that no test kills:
// pnpm mutation federation|metadata|clients [a part of the paths of the files, such as chains/c]
// Equivalent mutants count as missed.
import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inCopy, ROOT } from './repository-copy.mjs';

/** The mutated folders of src/, the excluded tests, and the least share of killed mutants. */
const PACKAGES = {
  federation: {
    folders: ['chains', 'constraints', 'statements', 'trust-marks'],
    files: ['src/entity-id.ts'],
    // Tests of registrations use the validator and are slow.
    exclude: ['src/registration/**'],
    leastScore: 0.95,
  },
  metadata: { folders: ['policy'], files: [], exclude: [], leastScore: 0.95 },
  clients: {
    folders: [],
    files: ['src/policy/judge-by-policy.ts', 'src/policy/member-policy.ts'],
    exclude: [],
    leastScore: 0.85,
  },
};
// Installed for this command only: too large for the development dependencies.
const STRYKER = ['@stryker-mutator/core@9.6.1', '@stryker-mutator/vitest-runner@9.6.1'];
const REPORT = 'mutants.json';

const [name = '', wanted = ''] = process.argv.slice(2).filter((word) => word !== '--');
const rules = PACKAGES[name];
if (rules === undefined)
  throw new TypeError(`pnpm mutation ${Object.keys(PACKAGES).join('|')} [part of a path]`);
const { packageManager } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));

const STRYKER_CONFIG = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.config.mjs', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 4_000,
  // Tests run on the sources directly: there is no compiler in between.
  tsconfigFile: 'none.json',
  inPlace: true,
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: REPORT },
};

const VITEST_CONFIG = `import { defineConfig } from 'vitest/config';
const fromSources = { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } };
export default defineConfig({
  environments: { ssr: fromSources, __vitest__: fromSources },
  test: {
    include: ['src/**/*.test.ts'],
    exclude: ${JSON.stringify(['**/*.slow.test.ts', ...rules.exclude])},
    isolate: false,
    testTimeout: 60_000,
  },
});
`;

const { files } = await inCopy(async (copy) => {
  const folder = join(copy, 'packages', name);
  run(folder, ['npx', '-y', packageManager, 'add', '-D', '--prefer-offline', ...STRYKER]);
  const mutate = await mutatedFiles(join(folder, 'src'));
  await writeFile(join(folder, 'stryker.config.json'), JSON.stringify({ ...STRYKER_CONFIG, mutate }));
  await writeFile(join(folder, 'vitest.mutation.config.mjs'), VITEST_CONFIG);
  run(folder, ['node_modules/.bin/stryker', 'run', 'stryker.config.json']);
  return JSON.parse(await readFile(join(folder, REPORT), 'utf8'));
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
process.exitCode = score >= rules.leastScore ? 0 : 1;

/** The sources whose paths contain the given part. */
async function mutatedFiles(sources) {
  const files = await Promise.all(
    rules.folders.map(async (folder) =>
      (await readdir(join(sources, folder))).map((file) => `src/${folder}/${file}`),
    ),
  );
  const isWanted = (file) => !file.endsWith('.test.ts') && file.includes(wanted);
  return [...files.flat(), ...rules.files].filter(isWanted);
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
