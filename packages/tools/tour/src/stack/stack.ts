import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Closers } from '@vestibule/local-services';
import type { SmallFederation } from '@vestibule/testkit/federation';
import { ensure, TourError } from '../tour-error.js';
import { startOwnStack } from './own-stack.js';
import { ROOT } from './root.js';

/** The stack under test. */
export interface Stack {
  /** Its address, without a trailing slash. */
  readonly baseUrl: string;
  readonly masterToken: string;
  /** The base addresses of introspection, each with a separate instance. */
  readonly introspection: readonly string[];
  /** A federation whose anchor it trusts; absent when the stack ran before the tour. */
  readonly federation?: SmallFederation;
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
 * The stack at the address; if none runs at a loopback address, starts one with a temporary folder.
 * @throws TourError
 */
export async function openStack(
  settings: StackSettings,
  toEnd: Closers,
  say: (sentence: string) => void,
): Promise<Stack> {
  const baseUrl = (settings.BASE_URL ?? DEFAULT_BASE_URL).replace(/\/$/, '');
  ensure(URL.canParse(baseUrl), 'BASE_URL is not an address.');
  if (await isRunning(baseUrl)) {
    const introspection = [baseUrl, ...addresses(settings.INTROSPECTION_URLS ?? '')];
    return { baseUrl, introspection, masterToken: await configuredToken(settings) };
  }
  const { protocol, hostname, port } = new URL(baseUrl);
  const isOurs = protocol === 'http:' && LOOPBACK.has(hostname) && port !== '';
  ensure(isOurs, `Nothing answers at ${baseUrl}: start the stack, or name another address in BASE_URL.`);
  say(
    `Nothing runs at ${baseUrl}: starting the stack there, over a temporary folder, until the tour is over.`,
  );
  const { masterTokenFile, ...started } = await startOwnStack(baseUrl, toEnd);
  return { baseUrl, ...started, masterToken: await readToken(masterTokenFile) };
}

/** @throws TourError unless they are addresses, comma-separated */
function addresses(list: string): readonly string[] {
  const each = list.split(',').map((address) => address.trim().replace(/\/$/, ''));
  const named = each.filter((address) => address !== '');
  for (const address of named)
    ensure(URL.canParse(address), `INTROSPECTION_URLS names ${address}, which is not an address.`);
  return named;
}

/** @throws TourError when another program responds there */
async function isRunning(baseUrl: string): Promise<boolean> {
  const address = `${baseUrl}/.well-known/openid-configuration`;
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined);
  if (response === undefined) return false;
  ensure(
    response.status === 200,
    `What answers at ${baseUrl} has no discovery document: it is something else.`,
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
      `The master token cannot be read from ${file}: set MASTER_TOKEN or MASTER_TOKEN_FILE to that of the running stack.`,
      { cause },
    );
  }
}
