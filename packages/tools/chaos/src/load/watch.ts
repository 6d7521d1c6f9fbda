import { setTimeout as pause } from 'node:timers/promises';
import type { Instance } from '../test-environment/cluster.js';
import type { LoneToken } from './lone-token.js';
import type { Work } from './work.js';

type Watch = Pick<Work, 'cluster' | 'history' | 'staleMs' | 'isOver'>;

/** For how long a revoked token is watched that does not die; longer than any promise. */
export const WATCH_MS = 7_000;
/** The pauses between questions, as a share of the time since the revocation: so exact is what is known of it. */
const GAP_SHARE = 0.1;
const MIN_GAP_MS = 2;
/** After which pauses a token that has died is asked about again. */
const AFTERLIFE_MS = [20, 200, 2_000, 4_000] as const;

/**
 * Asks every instance about a token that has just been revoked until it is inactive: at once, then with pauses that
 * grow, and in any case as soon as it may no longer be active. Looks a few times more whether it stays inactive, which
 * nobody waits for.
 */
export async function watchDeath(watch: Watch, token: LoneToken): Promise<void> {
  await Promise.all(
    watch.cluster.instances.map(async (instance) => {
      await askUntilDead(watch, instance, token);
      void askTheDead(watch, instance, token);
    }),
  );
}

async function askUntilDead(
  { history, staleMs }: Watch,
  instance: Instance,
  token: LoneToken,
): Promise<void> {
  const begun = performance.now();
  while ((await history.ask(instance, token)) !== 'inactive') {
    const ageMs = performance.now() - begun;
    if (ageMs > WATCH_MS) return;
    await pause(gapMs(ageMs, staleMs));
  }
}

/**
 * The pause before the next question about a token that was revoked so long ago. It grows with that time, and never
 * leads past the moment from which on the token must be inactive without a question there.
 */
export function gapMs(ageMs: number, staleMs: number): number {
  const usualMs = Math.max(MIN_GAP_MS, ageMs * GAP_SHARE);
  // A timer may come a moment early, and only what is asked after the end breaks the promise.
  const untilDueMs = staleMs + MIN_GAP_MS - ageMs;
  return untilDueMs > 0 ? Math.min(usualMs, untilDueMs) : usualMs;
}

async function askTheDead({ history, isOver }: Watch, instance: Instance, token: LoneToken): Promise<void> {
  for (const afterMs of AFTERLIFE_MS) {
    await pause(afterMs);
    if (isOver()) return;
    await history.ask(instance, token);
  }
}
