import process from 'node:process';
import { format } from 'node:util';

/** The signals that ask a service to end. */
export type EndSignal = 'SIGTERM' | 'SIGINT';

/** What a service needs of the process that it runs in. */
export interface ProcessHost {
  onSignal(listener: (signal: EndSignal) => void): void;
  /** Calls back for what nobody caught: the process cannot be trusted any more. */
  onFault(listener: (reason: string, error: unknown) => void): void;
  /** Takes what libraries write to the console, which would stand between the lines of the log. */
  onConsole(listener: (text: string) => void): void;
  /** Writes a line for the person who started the process. */
  writeError(line: string): void;
  exit(code: number): void;
  /** Ends the process even where something that it waits for never comes. */
  kill(): void;
}

/** The process of this service. */
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
