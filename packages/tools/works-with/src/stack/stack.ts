import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Closers, freePort } from '@vestibule/local-services';
import { WorksWithError } from '../works-with-error.js';

/** A running stack. */
export interface Stack {
  /** Its issuer identifier: its address, unless the settings name another one. */
  readonly baseUrl: string;
  readonly masterToken: string;
  /** Where it listens on loopback. */
  readonly port: string;
  /** The free ports of the settings, by name. */
  readonly ports: Readonly<Record<string, string>>;
}

/** A free port in a setting, such as `{gateway}`. */
const FREE_PORT = /\{([a-z]+)\}/g;

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const READY = 'Vestibule is ready';

/**
 * Starts the standalone stack of a built checkout on a free loopback port with an empty data folder.
 * @param settings besides the defaults of a standalone on a loopback address; a name in braces stands for a free port
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
  const port = String(await freePort());
  const ports = await freePorts(Object.values(settings));
  const given = Object.entries(settings).map(([name, text]) => [name, filledIn(text, ports)]);
  const { BASE_URL: baseUrl = `http://localhost:${port}`, ...rest } = Object.fromEntries(given);
  const child = spawn(process.execPath, [program], {
    env: { PATH, DATA_DIR: folder, PORT: port, MANAGEMENT_PORT: '0', BASE_URL: baseUrl, ...rest },
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
  return { baseUrl, masterToken, port, ports };
}

async function freePorts(settings: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const names = settings.flatMap((text) => [...text.matchAll(FREE_PORT)].map(([, name = '']) => name));
  const ports: Record<string, string> = {};
  for (const name of new Set(names)) ports[name] = String(await freePort());
  return ports;
}

function filledIn(text: string, ports: Readonly<Record<string, string>>): string {
  return text.replace(FREE_PORT, (whole, name: string) => ports[name] ?? whole);
}

/** Starts each stack on first use: one for each distinct group of settings. */
export function stacksOf(checkout: string, toEnd: Closers) {
  const started = new Map<string, Promise<Stack>>();
  return (settings: Readonly<Record<string, string>>): Promise<Stack> => {
    const key = JSON.stringify(Object.entries(settings).toSorted());
    const stack = started.get(key) ?? startStack(checkout, settings, toEnd);
    started.set(key, stack);
    return stack;
  };
}
