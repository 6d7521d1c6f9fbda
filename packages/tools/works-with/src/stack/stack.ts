import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Closers, freePort } from '@vestibule/local-services';
import { type DocumentHost, openDocumentHost } from '../documents/document-host.js';
import type { Manifest } from '../program/manifest.js';
import { WorksWithError } from '../works-with-error.js';

/** A running stack. */
export interface Stack {
  /** Its address and issuer identifier. */
  readonly baseUrl: string;
  readonly masterToken: string;
  /** Where programs publish client ID metadata documents for it. */
  readonly documents?: DocumentHost;
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const READY = 'Vestibule is ready';

/**
 * Starts the standalone stack of a built checkout on a free loopback port with an empty data folder.
 * @param settings besides the defaults of a standalone on a loopback address
 * @throws WorksWithError when it is not built or does not start
 */
export async function startStack(
  checkout: string,
  settings: Readonly<Record<string, string>>,
  toEnd: Closers,
): Promise<Stack> {
  const program = join(checkout, 'apps', 'standalone', 'dist', 'server.js');
  if (!existsSync(program)) throw new WorksWithError(`There is no ${program}: build that checkout first.`);
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-works-with-'));
  toEnd.add(() => rm(folder, { recursive: true, force: true }));
  const port = await freePort();
  const child = spawn(process.execPath, [program], {
    env: { PATH, DATA_DIR: folder, PORT: String(port), MANAGEMENT_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // An interrupt at the terminal reaches only this process, which ends the stack in order.
    detached: true,
  });
  let output = '';
  const ended = once(child, 'close');
  toEnd.add(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const announced = new Promise<true>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes(READY)) resolve(true);
      });
  });
  const isReady = await Promise.race([announced, ended.then(() => false)]);
  if (!isReady) throw new WorksWithError(`The stack did not start: ${output.trim()}`);
  const masterToken = (await readFile(join(folder, 'master-token'), 'utf8')).trim();
  return { baseUrl: `http://localhost:${port}`, masterToken };
}

/**
 * Starts each stack on first use: one for each distinct group of settings. A program without `stack` has none.
 */
export function stacksOf(checkout: string, toEnd: Closers) {
  const started = new Map<string, Promise<Stack>>();
  return ({ stack: settings, documents }: Manifest): (() => Promise<Stack>) | undefined => {
    if (settings === undefined) return undefined;
    const key = JSON.stringify([documents === true, Object.entries(settings).toSorted()]);
    return () => {
      const stack =
        started.get(key) ??
        (documents === true
          ? startWithDocuments(checkout, settings, toEnd)
          : startStack(checkout, settings, toEnd));
      started.set(key, stack);
      return stack;
    };
  };
}

async function startWithDocuments(
  checkout: string,
  settings: Readonly<Record<string, string>>,
  toEnd: Closers,
): Promise<Stack> {
  const documents = await openDocumentHost(toEnd);
  const stack = await startStack(checkout, { ...settings, ...documents.settings }, toEnd);
  return { ...stack, documents };
}
