import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { TourError } from '../tour-error.js';
import { ROOT } from './root.js';

/** A process of the stack that the tour started. */
export interface StackProcess {
  /** Resolves when the process is ready. Rejects with a TourError when it exits before that. */
  readonly ready: Promise<void>;
  /** Stops the process and waits for its exit. */
  stop(): Promise<void>;
}

/** An application of this repository, and the output that says that it is ready. */
export interface StackProgram {
  readonly app: string;
  readonly readyOutput: string;
}

const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };

/** Starts an application without the environment variables of this process. */
export function startStackProcess(
  { app, readyOutput }: StackProgram,
  settings: Readonly<Record<string, string>>,
): StackProcess {
  const child = spawn(process.execPath, [join(ROOT, 'apps', app, 'dist', 'server.js')], {
    env: { ...ENVIRONMENT, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl+C reaches only this process, which stops the stack in order.
    detached: true,
  });
  let output = '';
  const exited = once(child, 'close');
  const started = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes(readyOutput)) resolve();
      });
  });
  const failed = exited.then(() => {
    throw new TourError(`The ${app} process did not start: ${output.trim()}`);
  });
  failed.catch(() => undefined);
  return {
    ready: Promise.race([started, failed]),
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
