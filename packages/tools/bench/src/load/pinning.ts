import { availableParallelism } from 'node:os';
import { findProgram, runCommand } from './run-command.js';

/** The core of the server under test; everything else runs on {@link LOAD_CORE}. */
export const SERVER_CORE = 0;
const LOAD_CORE = 1;

/** How processes are assigned to cores. */
export interface Pinning {
  /** The command prefix of the server under test. */
  readonly serverPrefix: readonly string[];
  readonly isPinned: boolean;
}

/**
 * Moves this process, and with it all its children, to the core of the load, and leaves the other one to the server
 * under test. Does nothing where the system does not support it or has one core only.
 */
export async function pinProcesses(): Promise<Pinning> {
  const taskset = await findProgram('taskset');
  if (taskset === undefined || availableParallelism() < 2) return { serverPrefix: [], isPinned: false };
  // Read before moving: afterwards this process sees one core.
  const { exitCode } = await runCommand(taskset, ['-a', '-c', '-p', String(LOAD_CORE), String(process.pid)]);
  if (exitCode !== 0) return { serverPrefix: [], isPinned: false };
  return { serverPrefix: [taskset, '-c', String(SERVER_CORE)], isPinned: true };
}
