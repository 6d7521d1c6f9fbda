import { setTimeout as pause } from 'node:timers/promises';
import type { Checker } from './history.js';
import type { IsolatedToken } from './isolated-token.js';
import type { Work } from './work.js';

type Watch = Pick<Work, 'cluster' | 'history' | 'staleMs' | 'isOver'>;

/** How long a revoked token is watched that stays active; longer than any limit. */
export const WATCH_MS = 7_000;
/** The pause between requests as a share of the time since the revocation, which bounds the measuring error. */
const GAP_SHARE = 0.1;
const MIN_GAP_MS = 2;
/** When a token that was seen inactive is introspected again. */
const RECHECKS_MS = [20, 200, 2_000, 4_000] as const;

/**
 * Introspects a revoked token on every instance until it is inactive: immediately, then with growing pauses, and in any
 * case at the moment when inactive is due. Checks a few more times, without waiting for those checks, whether it stays
 * inactive.
 */
export async function watchRevocation(watch: Watch, token: IsolatedToken): Promise<void> {
  await Promise.all(
    [...watch.cluster.instances, ...watch.cluster.apis].map(async (instance) => {
      await introspectUntilInactive(watch, instance, token);
      void introspectAgain(watch, instance, token);
    }),
  );
}

async function introspectUntilInactive(
  { history, staleMs }: Watch,
  instance: Checker,
  token: IsolatedToken,
): Promise<void> {
  const begun = performance.now();
  while ((await history.introspect(instance, token)) !== 'inactive') {
    const ageMs = performance.now() - begun;
    if (ageMs > WATCH_MS) return;
    await pause(gapMs(ageMs, staleMs));
  }
}

/**
 * The pause before the next request about a token that was revoked `ageMs` ago. It grows with that time, but never
 * skips the moment at which the token must be inactive.
 */
export function gapMs(ageMs: number, staleMs: number): number {
  const usualMs = Math.max(MIN_GAP_MS, ageMs * GAP_SHARE);
  // Timers may fire early, and only a request after the limit shows a violation.
  const untilDueMs = staleMs + MIN_GAP_MS - ageMs;
  return untilDueMs > 0 ? Math.min(usualMs, untilDueMs) : usualMs;
}

async function introspectAgain(
  { history, isOver }: Watch,
  instance: Checker,
  token: IsolatedToken,
): Promise<void> {
  for (const afterMs of RECHECKS_MS) {
    await pause(afterMs);
    if (isOver()) return;
    await history.introspect(instance, token);
  }
}
