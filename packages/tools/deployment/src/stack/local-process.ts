import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { DeploymentError } from '../deployment-error.js';

/** A program that stands for a container. */
export interface LocalProgram {
  readonly name: string;
  readonly words: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Where everything that it prints goes. */
  readonly logFile: string;
  /** How it is asked to end. Default SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
}

/** A running program. */
export interface LocalProcess {
  /** Waits until it is usable. @throws DeploymentError when it ends before, or takes too long */
  until(isUsable: () => Promise<boolean>): Promise<void>;
  /** Waits for its end. @throws DeploymentError unless it ends well */
  ended(): Promise<void>;
  /** Ends it and waits for its end. May be called again. */
  stop(): Promise<void>;
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 50;
const LOG_TAIL = 1_500;

/** Starts a program; nothing of our environment reaches it. */
export async function startLocalProcess(program: LocalProgram): Promise<LocalProcess> {
  const { words, folder, environment, logFile, stopSignal = 'SIGTERM' } = program;
  const [file = '', ...args] = words;
  const log = await open(logFile, 'a');
  const child = spawn(file === 'node' ? process.execPath : file, args, {
    cwd: folder,
    env: { PATH, ...environment },
    stdio: ['ignore', log.fd, log.fd],
    // An interrupt at the terminal reaches us, and we end it in our own order.
    detached: true,
  });
  const closed = once(child, 'close').catch(() => undefined);
  await log.close();
  const isOver = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  return {
    until: async (isUsable) => {
      const deadline = Date.now() + START_TIMEOUT_MS;
      while (!(await isUsable())) {
        if (isOver() || Date.now() > deadline) throw await failureOf(program);
        await pause(POLL_MS);
      }
    },
    ended: async () => {
      await closed;
      if (child.exitCode !== 0) throw await failureOf(program);
    },
    stop: async () => {
      if (isOver()) return;
      child.kill(stopSignal);
      await closed;
    },
  };
}

async function failureOf({ name, logFile }: LocalProgram): Promise<DeploymentError> {
  const printed = await readFile(logFile, 'utf8');
  return new DeploymentError(`The ${name} process does not run: ${printed.trim().slice(-LOG_TAIL)}`);
}
