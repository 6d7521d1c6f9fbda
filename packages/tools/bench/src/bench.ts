import { join } from 'node:path';
import { closeOnSignals, closers } from '@vestibule/local-services';
import { type BenchCommand, CommandLineError, chooseWorkloads, parseCommandLine } from './command-line.js';
import { profileOptions, profileWorkload } from './profile-workload.js';
import { machineLine } from './report/machine.js';
import { reportOf, reportText, writeReport } from './report/report.js';
import { openResults } from './report/results.js';
import { runWorkload } from './run-workload.js';
import { readConfiguredServers } from './targets/configured-servers.js';
import { type Effort, FULL, QUICK } from './test-environment/effort.js';
import { ROOT } from './test-environment/root.js';
import {
  openTestEnvironment,
  stateFolder,
  type TestEnvironment,
} from './test-environment/test-environment.js';
import type { Workload } from './workloads/workload.js';
import { allWorkloads } from './workloads/workloads.js';

const HELP = `pnpm bench [workload…] [--quick] [--resume] [--profile] [--hold seconds] [--servers file.json]

  --quick    about five seconds of load for each server; prints the report, does not update the README
  --resume   completes the last, interrupted run
  --profile  profiles the CPU time of the service instead of measuring
  --hold     duration of a steady load, default 60 seconds
  --servers  a JSON file with other servers to compare with
`;

const README = join(ROOT, 'packages', 'tools', 'bench', 'README.md');
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_INTERRUPTED = 130;

const toEnd = closers();
const interruption = new AbortController();
const log = (sentence: string) => {
  process.stderr.write(`${sentence}\n`);
};
const print = (text: string) => {
  process.stdout.write(`${text}\n`);
};

closeOnSignals(toEnd, () => {
  log('Interrupted; pnpm bench --resume continues from here.');
  interruption.abort();
});

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
  const testEnvironment = await openTestEnvironment({
    effort: effortOf(command),
    nodeOptions: command.profile ? profileOptions(stateFolder()) : [],
    others: command.servers === undefined ? [] : await readConfiguredServers(command.servers),
    log,
    closers: toEnd,
    interruption: interruption.signal,
  });
  const all = allWorkloads(testEnvironment);
  if (command.help) {
    print([HELP, ...all.map(({ id, title }) => `  ${id}: ${title}`)].join('\n'));
    return 0;
  }
  const chosen = chooseWorkloads(all, command.workloads);
  if (command.profile) {
    for (const workload of chosen) print(await profileWorkload(testEnvironment, workload));
    return 0;
  }
  return measure(testEnvironment, { all, chosen }, command);
}

function effortOf({ quick, holdSeconds }: BenchCommand): Effort {
  const usual = quick ? QUICK : FULL;
  return { ...usual, holdSeconds: holdSeconds ?? usual.holdSeconds };
}

interface Workloads {
  readonly all: readonly Workload[];
  readonly chosen: readonly Workload[];
}

async function measure(
  testEnvironment: TestEnvironment,
  { all, chosen }: Workloads,
  { quick, resume }: { readonly quick: boolean; readonly resume: boolean },
): Promise<number> {
  const file = await openResults(join(testEnvironment.folder, quick ? 'quick.json' : 'full.json'), resume);
  let failed = 0;
  for (const workload of chosen) {
    if (!(await runWorkload(testEnvironment, workload, file))) failed += 1;
    if (testEnvironment.interruption.aborted) return EXIT_INTERRUPTED;
  }
  const report = reportOf(chosen, file.results, machineLine(testEnvironment));
  print(reportText(report));
  if (!quick) {
    await writeReport(README, report, all);
    log('The report is in packages/tools/bench/README.md.');
  }
  return failed === 0 ? 0 : EXIT_FAILED;
}
