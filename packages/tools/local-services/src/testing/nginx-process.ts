import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Closers } from '../closers.js';
import { installDebianPackage } from '../debian-package.js';
import { runCommand } from '../run-command.js';

const MISSING = 'No nginx is on PATH: install it (Debian and Ubuntu: apt-get install nginx-light).';
const START_TIMEOUT_MS = 30_000;

/** How to start nginx. */
export interface NginxOptions {
  /** Has `nginx.conf`, and a folder `run` for what nginx writes. */
  readonly folder: string;
  /** The port that it listens on. */
  readonly port: number;
  readonly toEnd: Closers;
}

/**
 * Starts nginx, and waits until it serves.
 * @returns the file with its output
 */
export async function startNginx({ folder, port, toEnd }: NginxOptions): Promise<string> {
  const user = process.getuid?.() === 0 ? ' user root;' : '';
  const words = ['-p', join(folder, 'run'), '-c', join(folder, 'nginx.conf'), '-g', `daemon off;${user}`];
  const logFile = join(folder, 'log');
  const log = openSync(logFile, 'a');
  const nginx = spawn(await nginxProgram(), words, { env: {}, stdio: ['ignore', log, log] });
  const closed = once(nginx, 'close');
  toEnd.add(async () => {
    nginx.kill('SIGQUIT');
    await closed;
  });
  await untilServing(nginx, port, logFile);
  return logFile;
}

async function nginxProgram(): Promise<string> {
  const find = () => runCommand('/bin/sh', ['-c', 'PATH=$PATH:/usr/sbin; command -v nginx']);
  if ((await find()).exitCode !== 0)
    await installDebianPackage({ name: 'nginx-light', missing: MISSING, log: () => undefined });
  return (await find()).output.trim();
}

async function untilServing(nginx: ChildProcess, port: number, logFile: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  const isServing = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  while (!(await isServing())) {
    if (nginx.exitCode !== null || Date.now() > deadline) throw new Error(await readFile(logFile, 'utf8'));
    await pause(50);
  }
}
