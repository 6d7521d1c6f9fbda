import { execFile } from 'node:child_process';
import { link, readFile, readlink, realpath, rename, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from './local-service-error.js';

/** The content of `postmaster.pid` of a server that runs, or ran, in a data directory. */
export interface PostmasterFile {
  readonly pid: number;
  /** Seconds since the epoch; with the process id it identifies one run of the server. */
  readonly startedAt: string;
  /** Absent early in the start. */
  readonly port?: number;
}

const FILE_NAME = 'postmaster.pid';

/** Reads `postmaster.pid`; `undefined` when there is none. */
export async function readPostmasterFile(directory: string): Promise<PostmasterFile | undefined> {
  try {
    return parsePostmasterFile(await readFile(join(directory, FILE_NAME), 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Parses the lines of `postmaster.pid`: process id, data directory, start time, port, and others. */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const [pid = '', , startedAt = '', port = ''] = text.split('\n').map((line) => line.trim());
  if (!/^\d+$/.test(pid)) return undefined;
  return /^\d+$/.test(port)
    ? { pid: Number(pid), startedAt, port: Number(port) }
    : { pid: Number(pid), startedAt };
}

/** Whether two readings are of the same run of a server. */
export function isSameRun(one: PostmasterFile, other: PostmasterFile | undefined): boolean {
  return other !== undefined && one.pid === other.pid && one.startedAt === other.startedAt;
}

/**
 * Whether the process of a `postmaster.pid` is a server in this directory. After a crash another process may have the
 * id.
 */
export async function isPostmasterAlive(directory: string, file: PostmasterFile): Promise<boolean> {
  if (!isProcessAlive(file.pid)) return false;
  // The working directory of a server is its data directory.
  if (platform() === 'linux') {
    const [stands, expected] = await Promise.all([
      readlink(`/proc/${file.pid}/cwd`).catch(() => undefined),
      realpath(directory),
    ]);
    return stands === expected;
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'args=', '-p', String(file.pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.includes(directory);
}

/**
 * Removes the `postmaster.pid` of a server that has exited, because PostgreSQL refuses to start when another process
 * now has that id. A file that changed meanwhile is put back.
 */
export async function removeStalePostmasterFile(directory: string, stale: PostmasterFile): Promise<void> {
  const path = join(directory, FILE_NAME);
  const aside = `${path}.stale-${process.pid}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if (!isSameRun(stale, parsePostmasterFile(await readFile(aside, 'utf8')))) {
    await link(aside, path).catch(() => undefined);
  }
  await rm(aside, { force: true });
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
