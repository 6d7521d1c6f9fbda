import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { closeOnSignals, closers, LocalServiceError } from '@vestibule/local-services';
import { openChromium } from './browser/open-chromium.js';
import { parseCommandLine, type WorksWithCommand } from './command-line.js';
import { isGood } from './program/outcome.js';
import { choosePrograms, type Program, programsIn } from './program/programs.js';
import { runProgram } from './program/run-program.js';
import { insertRows, type Reported, stepLine } from './report/table.js';
import { ROOT } from './root.js';
import { stacksOf } from './stack/stack.js';
import { WorksWithError } from './works-with-error.js';

const HELP = `pnpm works-with [--ci] [--checkout folder] [--list] [program...]

  program     names of programs; all of them without a name
  --ci        the programs that need nothing but npm
  --checkout  runs the stack of another checkout, which is built; the table stays as it is
  --list      names the programs
`;

const HERE = join(ROOT, 'packages', 'tools', 'works-with');
const PROGRAMS = join(HERE, 'programs');
const README = join(HERE, 'README.md');
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const toEnd = closers();
const log = (sentence: string) => {
  process.stderr.write(`${sentence}\n`);
};
const print = (text: string) => {
  process.stdout.write(`${text}\n`);
};

closeOnSignals(toEnd);

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof WorksWithError || error instanceof LocalServiceError)) throw error;
  log(error.message);
  process.exitCode = EXIT_USAGE;
} finally {
  await toEnd.closeAll();
}

async function main(): Promise<number> {
  const command = parseCommandLine(process.argv.slice(2));
  const all = programsIn(PROGRAMS);
  if (command.help || command.list) {
    const lines = all.map(({ name, manifest }) => `${name}: ${manifest.title}, ${manifest.language}`);
    print([...(command.help ? [HELP] : []), ...lines].join('\n'));
    return 0;
  }
  const chosen = choosePrograms(all, command.names).filter(({ manifest }) => manifest.ci || !command.ci);
  const reported = await runAll(chosen, command);
  if (command.checkout === undefined) {
    const names = all.map(({ name }) => name);
    await writeFile(README, insertRows(await readFile(README, 'utf8'), reported, names));
  }
  return reported.every(({ outcome }) => isGood(outcome)) ? 0 : EXIT_FAILED;
}

async function runAll(
  programs: readonly Program[],
  { checkout = ROOT }: WorksWithCommand,
): Promise<readonly Reported[]> {
  const browser = await openChromium(log, toEnd);
  const stackOf = stacksOf(resolve(checkout), toEnd);
  const cache = join(homedir(), '.cache', 'vestibule-works-with');
  const environment = { browser, environment: process.env, checkout: resolve(checkout), cache, log };
  const reported: Reported[] = [];
  for (const program of programs) {
    const outcome = await runProgram(program, stackOf(program.manifest), environment, toEnd);
    const { kind, problem, version = '', steps } = outcome;
    print([`${program.manifest.title} ${version}`.trim(), ...steps.map(stepLine)].join('\n'));
    if (problem !== undefined) print(`  ${kind}: ${problem}`);
    reported.push({ program, outcome, date: new Date().toISOString().slice(0, 10) });
  }
  return reported;
}
