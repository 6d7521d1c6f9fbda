import { findProgram, runCommand } from './run-command.js';

const LOWEST = '19';
const USUAL = '0';

/** The command prefix of processes that yield to all others; empty where there is no `nice`. */
export async function lowPriorityPrefix(): Promise<readonly string[]> {
  const nice = await findProgram('nice');
  return nice === undefined ? [] : [nice, '-n', LOWEST];
}

/**
 * Lets a process, and those that it starts meanwhile, yield to all others while an operation runs. Only root can end that,
 * so for other users nothing is changed.
 */
export async function atLowPriority<Result>(pid: number, operate: () => Promise<Result>): Promise<Result> {
  const renice = process.getuid?.() === 0 ? await findProgram('renice') : undefined;
  const set = async (priority: string) => {
    if (renice !== undefined) await runCommand(renice, ['-n', priority, '-p', String(pid)]);
  };
  await set(LOWEST);
  try {
    return await operate();
  } finally {
    await set(USUAL);
  }
}
