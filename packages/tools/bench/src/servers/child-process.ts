import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { findProgram, PLAIN_ENVIRONMENT } from '../load/run-command.js';

/** A started process. */
export interface RunningProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly isRunning: () => boolean;
  /** The end of its standard error. */
  readonly complaints: () => string;
  /** Stops it: SIGTERM first, SIGKILL after a timeout. May be called repeatedly. */
  stop(): Promise<void>;
}

/** How to start a program. */
export interface ProgramLaunch {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** The command prefix that runs it on a separate core. */
  readonly prefix: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the process has an IPC channel to this one. */
  readonly withChannel?: boolean;
}

/** How to start a Node process. */
export interface ProcessLaunch extends Omit<ProgramLaunch, 'command'> {
  /** A module of Node. */
  readonly module: string;
  readonly nodeOptions?: readonly string[];
}

const STOP_TIMEOUT_MS = 12_000;
const COMPLAINTS_LENGTH = 2_000;

/** Starts a Node process that ends with this one. */
export function startProcess({
  module,
  nodeOptions = [],
  ...launch
}: ProcessLaunch): Promise<RunningProcess> {
  return startProgram({ ...launch, command: [process.execPath, ...nodeOptions, module] });
}

/** Starts a program that ends with this process; where the system supports it, even when this one is killed. */
export async function startProgram(launch: ProgramLaunch): Promise<RunningProcess> {
  const { command, prefix, environment = {}, withChannel = false } = launch;
  const setpriv = await findProgram('setpriv');
  const dying = setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'TERM', '--'];
  const [file = '', ...args] = [...dying, ...prefix, ...command];
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
  if (pid === undefined) throw new Error(`${command.join(' ')} did not start`);
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
