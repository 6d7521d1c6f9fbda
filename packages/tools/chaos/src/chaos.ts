import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { closeOnSignals, closers } from '@vestibule/local-services';
import { CommandLineError, chooseTrials, parseCommandLine } from './command-line.js';
import { insertReport, reportText, TABLES } from './report/report.js';
import type { ReportedTrial } from './report/report-table.js';
import { ROOT } from './test-environment/root.js';
import { openTestEnvironment } from './test-environment/test-environment.js';
import { abortedResult, FULL, QUICK, type Trial, type TrialResult } from './trials/trial.js';
import { TRIALS } from './trials/trials.js';

const HELP = `pnpm chaos [--only trial,trial] [--quick] [--list]

  --only   runs only these trials
  --quick  limits every fault to four seconds; does not update the README
  --list   lists the trials
`;

const README = join(ROOT, 'packages', 'tools', 'chaos', 'README.md');
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
  if (!(error instanceof CommandLineError)) throw error;
  log(error.message);
  process.exitCode = EXIT_USAGE;
} finally {
  await toEnd.closeAll();
}

async function main(): Promise<number> {
  const command = parseCommandLine(process.argv.slice(2));
  if (command.help || command.list) {
    print([command.help ? HELP : '', ...TRIALS.map(({ id, title }) => `${id}: ${title}`)].join('\n'));
    return 0;
  }
  return runTrials(chooseTrials(TRIALS, command.only), command.quick);
}

async function runTrials(chosen: readonly Trial[], quick: boolean): Promise<number> {
  const folder = join(ROOT, '.vestibule', 'chaos');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const testEnvironment = await openTestEnvironment(join(folder, 'postgres'), toEnd, log);
  const reported: ReportedTrial[] = [];
  for (const trial of chosen) {
    const begun = performance.now();
    const result = await resultOf(trial, () => trial.run(testEnvironment, quick ? QUICK : FULL));
    reported.push({ trial, result });
    if (result.evidence.length > 0) {
      const file = join(folder, `${trial.id}.json`);
      await writeFile(file, JSON.stringify(result.evidence, undefined, 1));
      log(`The history of the affected tokens is in ${file}.`);
    }
    const seconds = Math.round((performance.now() - begun) / 1000);
    const cells = TABLES.flatMap((table) => table.cellsOf({ trial, result }) ?? []);
    log(`${trial.id}, ${seconds} s: ${cells.join(' | ')}`);
  }
  print(TABLES.map((table) => reportText(table, reported)).join('\n\n'));
  if (!quick) {
    const ids = TRIALS.map(({ id }) => id);
    await writeFile(README, insertReport(await readFile(README, 'utf8'), reported, ids));
  }
  return reported.every(({ result }) => result.problems.length === 0) ? 0 : EXIT_FAILED;
}

/** The result of a trial, including one that was aborted. */
async function resultOf({ id }: Trial, run: () => Promise<TrialResult>): Promise<TrialResult> {
  try {
    return await run();
  } catch (error) {
    log(`${id}: ${error instanceof Error ? error.stack : String(error)}`);
    return abortedResult(error instanceof Error ? error.message : String(error));
  }
}
