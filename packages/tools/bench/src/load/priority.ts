import { findProgram, runCommand } from './run-command.js';

const LOWEST = '19';

/** The command prefix of processes that yield to all others; empty where there is no `nice`. */
export async function lowPriorityPrefix(): Promise<readonly string[]> {
  const nice = await findProgram('nice');
  return nice === undefined ? [] : [nice, '-n', LOWEST];
}

/**
 * Runs an operation of this process, which sends the load, before everything else on its core: otherwise a response waits
 * to be counted while another process has the core. Processes that it starts meanwhile have the usual priority. Only root
 * may do that, so for other users nothing is changed.
 */
export async function atHighPriority<Result>(operate: () => Promise<Result>): Promise<Result> {
  const chrt = process.getuid?.() === 0 ? await findProgram('chrt') : undefined;
  const set = async (policy: readonly string[], priority: string) => {
    if (chrt !== undefined)
      await runCommand(chrt, [...policy, '--all-tasks', '--pid', priority, String(process.pid)]);
  };
  // In turns: with `--fifo` a thread that waits for another one of this process would keep the core from it.
  await set(['--rr', '--reset-on-fork'], '1');
  try {
    return await operate();
  } finally {
    await set(['--other'], '0');
  }
}
