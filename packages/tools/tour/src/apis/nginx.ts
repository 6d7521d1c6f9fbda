import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Closers } from '@vestibule/local-services';
import { ensure } from '../tour-error.js';

/** Where Debian and Ubuntu install nginx. */
const PROGRAM = '/usr/sbin/nginx';
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 20;

/** Whether nginx is installed. */
export function hasNginx(): boolean {
  return existsSync(PROGRAM);
}

/** How to start nginx. */
export interface NginxOptions {
  /** Has `nginx.conf`. nginx writes its own files there. */
  readonly folder: string;
  /** The port that it listens on. */
  readonly port: number;
}

/** Starts nginx, and waits until it responds. @throws TourError */
export async function startNginx({ folder, port }: NginxOptions, toEnd: Closers): Promise<void> {
  const nginx = spawn(PROGRAM, ['-p', folder, '-c', 'nginx.conf', '-g', 'daemon off;'], {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl+C reaches only this process, which stops nginx in order.
    detached: true,
  });
  let output = '';
  nginx.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const exited = once(nginx, 'close');
  toEnd.add(async () => {
    nginx.kill('SIGQUIT');
    await exited;
  });
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  while (!(await isServing(port))) {
    ensure(nginx.exitCode === null, `nginx did not start: ${output.trim()}`);
    ensure(performance.now() < deadlineMs, `nginx does not respond at port ${port}.`);
    await pause(POLL_MS);
  }
}

async function isServing(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
}
