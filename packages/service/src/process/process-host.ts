import process from 'node:process';
import { format } from 'node:util';

/** Signals that stop a service. */
export type ShutdownSignal = 'SIGTERM' | 'SIGINT';

/** The process functions that a service uses. */
export interface ProcessHost {
  onSignal(listener: (signal: ShutdownSignal) => void): void;
  /**
   * Registers a listener for uncaught exceptions and unhandled rejections, after which the process state is unreliable.
   */
  onFault(listener: (reason: string, error: unknown) => void): void;
  /** Redirects console output of libraries, which would mix with the log lines. */
  onConsole(listener: (text: string) => void): void;
  /** Writes a line to standard error. */
  writeError(line: string): void;
  exit(code: number): void;
  /** Kills the process, even if pending work never completes. */
  kill(): void;
}

/** The current process. */
export const processHost: ProcessHost = {
  onSignal: (listener) => {
    process.on('SIGTERM', () => listener('SIGTERM'));
    process.on('SIGINT', () => listener('SIGINT'));
  },
  onFault: (listener) => {
    process.on('uncaughtException', (error) => listener('uncaught exception', error));
    process.on('unhandledRejection', (error) => listener('unhandled rejection', error));
  },
  onConsole: (listener) => {
    const take = (...words: unknown[]) => listener(format(...words));
    Object.assign(console, { debug: take, error: take, info: take, log: take, warn: take });
  },
  writeError: (line) => {
    process.stderr.write(`${line}\n`);
  },
  exit: (code) => process.exit(code),
  kill: () => process.kill(process.pid, 'SIGKILL'),
};

/** Exit codes: `failed` for a fault of the process or its dependencies, `settings` for invalid settings. */
export const EXIT_CODE = { failed: 1, settings: 2 } as const;

/** The process cannot start. The message is one sentence for the operator, who can fix the cause. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
