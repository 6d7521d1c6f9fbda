import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { TourError } from '../tour-error.js';
import { ROOT } from './root.js';

/** A process of a stack of the tour. */
export interface StackProcess {
  /** Resolves when it serves. Rejects with a TourError when it exits before. */
  readonly ready: Promise<void>;
  /** Stops it and waits for its exit. */
  stop(): Promise<void>;
}

/** An application of this repository, and its output when it serves. */
export interface StackProgram {
  readonly app: string;
  readonly invalidation: string;
}

const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };

/** Starts an application as a user would; it inherits nothing of this environment. */
export function startStackProcess(
  { app, invalidation }: StackProgram,
  settings: Readonly<Record<string, string>>,
): StackProcess {
  const child = spawn(process.execPath, [join(ROOT, 'apps', app, 'dist', 'server.js')], {
    env: { ...ENVIRONMENT, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // An interrupt at the terminal reaches only this process, which ends the stack in order.
    detached: true,
  });
  let output = '';
  const ended = once(child, 'close');
  const announced = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes(invalidation)) resolve();
      });
  });
  const failed = ended.then(() => {
    throw new TourError(`The ${app} process did not start: ${output.trim()}`);
  });
  failed.catch(() => undefined);
  return {
    ready: Promise.race([announced, failed]),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
