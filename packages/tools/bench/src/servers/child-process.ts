import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { findProgram, PLAIN_ENVIRONMENT } from '../load/run-command.js';

/** A process that was started here. */
export interface RunningProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly isRunning: () => boolean;
  /** What it wrote last on standard error. */
  readonly complaints: () => string;
  /** Ends it by its id: asked to first, killed when it takes too long. May be called again. */
  stop(): Promise<void>;
}

/** What to start. */
export interface ProcessLaunch {
  /** A module of Node. */
  readonly module: string;
  readonly nodeOptions?: readonly string[];
  /** Words in front of the command line, to run it on a core of its own. */
  readonly prefix: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the process talks to this one. */
  readonly withChannel?: boolean;
}

const STOP_TIMEOUT_MS = 12_000;
const COMPLAINTS_LENGTH = 2_000;

/** Starts a Node process, which ends with this one; where the system can arrange it, even when this one is killed. */
export async function startProcess(launch: ProcessLaunch): Promise<RunningProcess> {
  const { module, nodeOptions = [], prefix, environment = {}, withChannel = false } = launch;
  const setpriv = await findProgram('setpriv');
  const dying = setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'TERM', '--'];
  const [file = '', ...args] = [...dying, ...prefix, process.execPath, ...nodeOptions, module];
  const child = spawn(file, args, {
    env: { ...PLAIN_ENVIRONMENT, ...environment },
    stdio: ['ignore', 'ignore', 'pipe', ...(withChannel ? (['ipc'] as const) : [])],
  });
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-COMPLAINTS_LENGTH);
  });
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  await once(child, 'spawn');
  const { pid } = child;
  if (pid === undefined) throw new Error(`${module} did not start`);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return { pid, child, isRunning, complaints: () => complaints, stop: () => stop(child, isRunning) };
}

async function stop(child: ChildProcess, isRunning: () => boolean): Promise<void> {
  if (!isRunning()) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(patience);
}
