import { setTimeout as pause } from 'node:timers/promises';
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { RunningCrossing } from './crossing.js';
import type { Fleet } from './fleet.js';
import { type Ledger, UnexpectedResponse } from './ledger.js';

/** What verifiers with cached copies of the published keys observed. */
export interface KeyCopies {
  /** The lifetime of a copy as the response allows it, in milliseconds. */
  readonly keptMs: number;
  /** The number of verified signatures, and of those by a key missing from a copy. */
  readonly verified: number;
  readonly unknown: number;
  /** When each key signed first and last. */
  readonly signatures: ReadonlyMap<string, { readonly firstMs: number; readonly lastMs: number }>;
}

/** Running verifiers. */
export interface RunningVerifiers {
  readonly seen: KeyCopies;
  /** Stops them. */
  stop(): Promise<void>;
}

const KEY_SET = { method: 'GET', path: '/jwks.json' } as const;
const MAX_AGE = /^public, max-age=(\d+)$/;
const VERIFIERS = 8;
const TURN_MS = 50;

/**
 * Starts verifiers that check access tokens and signed introspection responses continuously. Each one keeps a copy of
 * the key set for exactly as long as `Cache-Control` allows and does not refetch it for an unknown key. Their starts
 * are staggered, so that at every moment one copy is about to expire and another has just been fetched.
 */
export async function startVerifiers(
  { gateway }: Pick<Fleet, 'gateway'>,
  ledger: Ledger,
  { issue, signedResponse }: Pick<RunningCrossing, 'issue' | 'signedResponse'>,
): Promise<RunningVerifiers> {
  const { headers } = await ledger.send(gateway, KEY_SET, { status: 200 });
  const keptMs = Number(MAX_AGE.exec(headers['cache-control'] ?? '')?.[1] ?? 0) * 1000;
  const signatures = new Map<string, { firstMs: number; lastMs: number }>();
  const seen = { keptMs, verified: 0, unknown: 0, signatures };
  const copies: JWTVerifyGetKey[] = [];
  const begunAt = performance.now();
  const verify = async (jwt: string) => {
    if (copies.length < VERIFIERS && performance.now() - begunAt >= (copies.length * keptMs) / VERIFIERS)
      copies.push(keyCopy(gateway, ledger, keptMs));
    for (const keys of copies) {
      const kid = await kidVerifying(jwt, keys);
      const now = performance.now();
      if (kid === undefined) seen.unknown += 1;
      else {
        seen.verified += 1;
        signatures.set(kid, { firstMs: signatures.get(kid)?.firstMs ?? now, lastMs: now });
      }
    }
  };
  let isOver = false;
  const working = (async () => {
    while (!isOver) {
      await issue('jwt')
        .then(async (token) => {
          await verify(token);
          await verify(await signedResponse(token));
        })
        .catch((error: unknown) => {
          // Already counted.
          if (!(error instanceof UnexpectedResponse)) throw error;
        });
      await pause(TURN_MS);
    }
  })();
  working.catch(() => undefined);
  return {
    seen,
    stop: async () => {
      isOver = true;
      await working;
    },
  };
}

function keyCopy(gateway: Fleet['gateway'], ledger: Ledger, keptMs: number): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(`http://127.0.0.1${KEY_SET.path}`), {
    cacheMaxAge: keptMs,
    cooldownDuration: keptMs,
    [customFetch]: async () => new Response((await ledger.send(gateway, KEY_SET, { status: 200 })).body),
  });
}

/** @returns the key that verifies it, or nothing when the copy has no such key */
async function kidVerifying(jwt: string, keys: JWTVerifyGetKey): Promise<string | undefined> {
  try {
    return (await jwtVerify(jwt, keys)).protectedHeader.kid;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return undefined;
    throw error;
  }
}
