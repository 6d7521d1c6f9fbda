import { setTimeout as pause } from 'node:timers/promises';
import { isResponse } from './history.js';
import type { IsolatedToken } from './isolated-token.js';
import { REVOCATION_PATHS } from './revocation-paths.js';
import { WATCH_MS, watchRevocation } from './watch.js';
import type { Work } from './work.js';

/** One token in this many is used up by parallel callers instead. */
const CLAIM_EVERY = 6;
const CLAIMS = 4;
const CLAIM_MS = 400;
const RETRY_MS = 500;

/**
 * Revokes one token after the other without waiting for the result, up to a limit of revocations in progress. Waits for
 * those at the end.
 */
export async function revokeTokens(work: Work): Promise<void> {
  const { pool, pace, isOver } = work;
  const underWay = new Set<Promise<void>>();
  for (let turn = 0; !isOver(); ) {
    await pause(pace.revokeMs);
    if (underWay.size >= pace.revocationsAtOnce || pool.live <= pace.tokens / 2) continue;
    const revocation = revokeOne(work, turn).finally(() => underWay.delete(revocation));
    underWay.add(revocation);
    turn += 1;
  }
  await Promise.all(underWay);
}

/** Uses tokens up under faults; failed uses are not retried. */
export async function claimTokens(work: Work): Promise<void> {
  const { cluster, history, pool, pace, isOver } = work;
  const watched: Promise<void>[] = [];
  for (let turn = 0; !isOver(); turn += 1) {
    await pause(CLAIM_MS);
    const token = pool.live > pace.tokens / 2 ? pool.takeOldest() : undefined;
    if (token?.format !== 'identifier') continue;
    // What an API does not cache, it asks the instances about in turn, which learn of the use one after the other.
    await Promise.all(cluster.apis.map((api) => history.introspect(api, token)));
    const outcome = await history.introspect(
      cluster.instances[turn % 2] ?? cluster.instances[0],
      token,
      true,
    );
    if (isResponse(outcome)) watched.push(watchRevocation(work, token));
  }
  await Promise.all(watched);
}

/**
 * Revokes any token that every instance has cached by the next path, retries until it is done, and watches it become
 * inactive.
 */
async function revokeOne(work: Work, turn: number): Promise<void> {
  const { cluster, history, pool, isOver } = work;
  const token = pool.takeAny();
  // A token that is about to expire cannot show staleness.
  if (token === undefined || token.expiresAtMs - Date.now() < WATCH_MS) return;
  await Promise.all([...cluster.instances, ...cluster.apis].map((node) => history.introspect(node, token)));
  const paths = REVOCATION_PATHS.filter(({ formats }) => formats.includes(token.format));
  const path = paths[turn % paths.length];
  const revoke = async () => {
    await history.revoke(token, async () => path?.revoke(cluster.installation, token));
    return true;
  };
  const isClaim = turn % CLAIM_EVERY === 0 && token.format === 'identifier';
  const attempt = () => (isClaim ? claimTogether(work, token) : revoke().catch(() => false));
  while (!(await attempt())) {
    if (isOver()) return;
    await pause(RETRY_MS);
  }
  await watchRevocation(work, token);
}

/**
 * Has several callers use a token up at the same moment on every instance. @returns whether one of them got a response
 */
export async function claimTogether({ cluster, history }: Work, token: IsolatedToken): Promise<boolean> {
  const claims = Array.from({ length: CLAIMS }, (_, index) =>
    history.introspect(cluster.instances[index % 2] ?? cluster.instances[0], token, true),
  );
  return (await Promise.all(claims)).some(isResponse);
}
