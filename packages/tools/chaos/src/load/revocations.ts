import { setTimeout as pause } from 'node:timers/promises';
import { isResponse } from './history.js';
import type { LoneToken } from './lone-token.js';
import { REVOCATION_PATHS } from './revocation-paths.js';
import { WATCH_MS, watchDeath } from './watch.js';
import type { Work } from './work.js';

/** Every so many revocations a token is used up instead, by parallel callers. */
const CLAIM_EVERY = 6;
const CLAIMS = 4;
const CLAIM_MS = 400;
const RETRY_MS = 500;

/**
 * Revokes one token after the other without waiting for what came of the last, as long as not too many revocations are
 * under way, and waits for those in the end.
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

/** Uses up tokens, whatever fails: whoever does that has nothing to fall back on. */
export async function claimTokens(work: Work): Promise<void> {
  const { cluster, history, pool, pace, isOver } = work;
  const watched: Promise<void>[] = [];
  for (let turn = 0; !isOver(); turn += 1) {
    await pause(CLAIM_MS);
    const token = pool.live > pace.tokens / 2 ? pool.takeOldest() : undefined;
    if (token?.format !== 'identifier') continue;
    const outcome = await history.ask(cluster.instances[turn % 2] ?? cluster.instances[0], token, true);
    if (isResponse(outcome)) watched.push(watchDeath(work, token));
  }
  await Promise.all(watched);
}

/** Revokes any token that every instance remembers by the next path, tries until it is done, and watches it die. */
async function revokeOne(work: Work, turn: number): Promise<void> {
  const { cluster, history, pool, isOver } = work;
  const token = pool.takeAny();
  // One that is about to expire shows nothing.
  if (token === undefined || token.expiresAtMs - Date.now() < WATCH_MS) return;
  await Promise.all(cluster.instances.map((instance) => history.ask(instance, token)));
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
  await watchDeath(work, token);
}

/** Has several callers use a token up at the same moment, on every instance. @returns whether one of them was answered */
export async function claimTogether({ cluster, history }: Work, token: LoneToken): Promise<boolean> {
  const asked = Array.from({ length: CLAIMS }, (_, index) =>
    history.ask(cluster.instances[index % 2] ?? cluster.instances[0], token, true),
  );
  return (await Promise.all(asked)).some(isResponse);
}
