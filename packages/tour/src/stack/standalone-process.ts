import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { TourError } from '../tour-error.js';
import { ROOT } from './root.js';

/** A stack of our own. */
export interface StandaloneProcess {
  /** Resolves when it serves. Rejects with a TourError when it ends before. */
  readonly ready: Promise<void>;
  /** Ends it and waits for its end. */
  stop(): Promise<void>;
}

const PROGRAM = join(ROOT, 'apps', 'standalone', 'dist', 'server.js');
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };

/** Starts the stack as a person would; nothing of our environment reaches it. */
export function startStandalone(settings: Readonly<Record<string, string>>): StandaloneProcess {
  const child = spawn(process.execPath, [PROGRAM], {
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
        if (output.includes('Vestibule is ready')) resolve();
      });
  });
  const failed = ended.then(() => {
    throw new TourError(`The stack did not start: ${output.trim()}`);
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
