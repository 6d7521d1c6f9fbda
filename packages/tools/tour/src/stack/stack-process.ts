import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { TourError } from '../tour-error.js';
import { ROOT } from './root.js';

/** A process of a stack of our own. */
export interface StackProcess {
  /** Resolves when it serves. Rejects with a TourError when it ends before. */
  readonly ready: Promise<void>;
  /** Ends it and waits for its end. */
  stop(): Promise<void>;
}

/** An application of this repository, and what it says when it serves. */
export interface StackProgram {
  readonly app: string;
  readonly invalidation: string;
}

const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };

/** Starts an application as a person would; nothing of our environment reaches it. */
export function startStackProcess(
  { app, invalidation }: StackProgram,
  settings: Readonly<Record<string, string>>,
): StackProcess {
  const child = spawn(process.execPath, [join(ROOT, 'apps', app, 'dist', 'server.js')], {
    env: { ...ENVIRONMENT, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // An interrupt at the terminal reaches us, and we end it in our own order.
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
