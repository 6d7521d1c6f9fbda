import { findProgram, runCommand } from './run-command.js';

const LOWEST = '19';

/** The command prefix of processes that yield to all others; empty where there is no `nice`. */
export async function lowPriorityPrefix(): Promise<readonly string[]> {
  const nice = await findProgram('nice');
  return nice === undefined ? [] : [nice, '-n', LOWEST];
}

/**
 * Runs an operation of this process, which sends the load, before everything else on its core: otherwise a response waits
 * to be counted while another process has the core. Processes that it starts meanwhile have the usual priority. Without
 * the right to do that, which root has, the operation runs with the usual priority, and a line says so.
 * @throws Error when the usual priority cannot be set again
 */
export async function atHighPriority<Result>(
  operate: () => Promise<Result>,
  log: (sentence: string) => void,
): Promise<Result> {
  const chrt = await findProgram('chrt');
  const isSet = async (policy: readonly string[], priority: string) => {
    if (chrt === undefined) return false;
    const args = [...policy, '--all-tasks', '--pid', priority, String(process.pid)];
    return (await runCommand(chrt, args)).exitCode === 0;
  };
  // In turns: with `--fifo` a thread that waits for another one of this process would keep the core from it.
  if (!(await isSet(['--rr', '--reset-on-fork'], '1'))) {
    log('  The load has the usual priority: it may wait for other processes.');
    return operate();
  }
  const isReset = () => isSet(['--other'], '0');
  const result = await operate().catch(async (error: unknown) => {
    await isReset();
    throw error;
  });
  if (!(await isReset())) throw new Error('the usual priority could not be set again');
  return result;
}
