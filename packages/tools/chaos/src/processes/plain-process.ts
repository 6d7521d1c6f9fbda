import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** The program to start. */
export interface ProcessLaunch {
  readonly command: readonly string[];
  /** Its environment besides a search path: nothing else is inherited. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A child process that ends with this one. */
export interface PlainProcess {
  readonly pid: number;
  isRunning(): boolean;
  /** The exit code; absent while it runs and when a signal ended it. */
  exitCode(): number | undefined;
  /** The end of its output. */
  output(): string;
  kill(signal: NodeJS.Signals): void;
  /** Ends it, also when stopped, and waits for the exit. May be called repeatedly. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };
const MAX_OUTPUT = 200_000;
const PATIENCE_MS = 10_000;

/** Starts a program. @throws when it is not installed */
export async function startPlainProcess({ command, environment }: ProcessLaunch): Promise<PlainProcess> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    env: { ...ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-MAX_OUTPUT);
    });
  }
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  child.once('exit', () => process.off('exit', killAtExit));
  await once(child, 'spawn');
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid ?? 0,
    isRunning,
    exitCode: () => child.exitCode ?? undefined,
    output: () => output,
    kill: (signal) => void child.kill(signal),
    end: (signal = 'SIGTERM') => end(child, isRunning, signal),
  };
}

async function end(child: ChildProcess, isRunning: () => boolean, signal: NodeJS.Signals): Promise<void> {
  if (!isRunning()) return;
  const gone = once(child, 'exit');
  child.kill('SIGCONT');
  child.kill(signal);
  const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await gone;
  clearTimeout(patience);
}
