import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closers } from '@vestibule/local-services';
import type { SmallFederation } from '@vestibule/testkit/federation';
import { ensure, TourError } from '../tour-error.js';
import { startOwnStack } from './own-stack.js';
import { ROOT } from './root.js';

/** The stack under test. */
export interface Stack {
  /** Its URL, without a trailing slash. */
  readonly baseUrl: string;
  readonly masterToken: string;
  /** The base URLs of the introspection instances. */
  readonly introspection: readonly string[];
  /** A federation whose trust anchor the stack trusts; absent when the stack was running before the tour. */
  readonly federation?: SmallFederation;
  /** The URL of the console; absent when the stack was running before the tour. */
  readonly consoleUrl?: string;
}

/** The settings of the tour. */
export interface StackSettings {
  readonly BASE_URL?: string | undefined;
  readonly MASTER_TOKEN?: string | undefined;
  readonly MASTER_TOKEN_FILE?: string | undefined;
  readonly INTROSPECTION_URLS?: string | undefined;
}

const DEFAULT_BASE_URL = 'http://localhost:8080';
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const TIMEOUT_MS = 5_000;

/**
 * The running stack; if none runs at a loopback URL, starts one there with a temporary folder.
 * @throws TourError
 */
export async function openStack(
  settings: StackSettings,
  toEnd: Closers,
  print: (line: string) => void,
): Promise<Stack> {
  const baseUrl = (settings.BASE_URL ?? DEFAULT_BASE_URL).replace(/\/$/, '');
  ensure(URL.canParse(baseUrl), 'BASE_URL is not a URL.');
  if (await isRunning(baseUrl)) {
    const introspection = [baseUrl, ...addresses(settings.INTROSPECTION_URLS ?? '')];
    return { baseUrl, introspection, masterToken: await configuredToken(settings) };
  }
  const { protocol, hostname, port } = new URL(baseUrl);
  const isStartable = protocol === 'http:' && LOOPBACK.has(hostname) && port !== '';
  ensure(isStartable, `No stack is running at ${baseUrl}: start it, or set BASE_URL to its URL.`);
  print(`No stack is running at ${baseUrl}. The tour starts one there with a temporary folder.`);
  const { masterTokenFile, ...started } = await startOwnStack(baseUrl, toEnd);
  return { baseUrl, ...started, masterToken: await readToken(masterTokenFile) };
}

/** @throws TourError unless the list consists of URLs, comma-separated */
function addresses(list: string): readonly string[] {
  const trimmed = list.split(',').map((address) => address.trim().replace(/\/$/, ''));
  const urls = trimmed.filter((address) => address !== '');
  for (const address of urls) ensure(URL.canParse(address), `INTROSPECTION_URLS: "${address}" is not a URL.`);
  return urls;
}

/** @throws TourError when another program responds at that URL */
async function isRunning(baseUrl: string): Promise<boolean> {
  const address = `${baseUrl}/.well-known/openid-configuration`;
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined);
  if (response === undefined) return false;
  ensure(
    response.status === 200,
    `The server at ${baseUrl} is not an OpenID provider: its discovery document returned ${response.status}.`,
  );
  return true;
}

async function configuredToken({ MASTER_TOKEN, MASTER_TOKEN_FILE }: StackSettings): Promise<string> {
  return MASTER_TOKEN ?? readToken(MASTER_TOKEN_FILE ?? join(ROOT, '.vestibule', 'master-token'));
}

async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new TourError(
      `The master token cannot be read from ${file}: set MASTER_TOKEN or MASTER_TOKEN_FILE for the running stack.`,
      { cause },
    );
  }
}
