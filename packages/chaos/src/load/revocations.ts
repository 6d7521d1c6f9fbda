import { setTimeout as pause } from 'node:timers/promises';
import type { Instance } from '../stage/house.js';
import type { LoneToken } from './lone-token.js';
import { REVOCATION_PATHS } from './revocation-paths.js';
import type { Work } from './work.js';

/** Every so many revocations a token is used up instead, by parallel callers. */
const CLAIM_EVERY = 6;
const CLAIMS = 4;
const CLAIM_MS = 400;
const RETRY_MS = 100;
/** For how long a revoked token is watched that does not die; longer than any promise. */
const WATCH_MS = 7_000;

/** Revokes one token after the other. */
export async function revokeTokens(work: Work): Promise<void> {
  const { pool, pace, isOver } = work;
  for (let turn = 0; !isOver(); turn += 1) {
    await pause(pace.revokeMs);
    if (pool.live > pace.tokens / 2) await revokeOne(work, turn);
  }
}

/** Uses up tokens, whatever fails: whoever does that has nothing to fall back on. */
export async function claimTokens(work: Work): Promise<void> {
  const { house, history, pool, pace, isOver } = work;
  for (let turn = 0; !isOver(); turn += 1) {
    await pause(CLAIM_MS);
    const token = pool.live > pace.tokens / 2 ? pool.takeOldest() : undefined;
    if (token?.format !== 'identifier') continue;
    await history.ask(house.instances[turn % 2] ?? house.instances[0], token, true);
    for (const instance of house.instances) void watchUntilDead(work, instance, token);
  }
}

/** Revokes any token by the next path, tries until it is done, and then watches it die everywhere. */
async function revokeOne(work: Work, turn: number): Promise<void> {
  const { house, history, pool, pace, isOver } = work;
  const token = pool.takeAny();
  // One that is about to expire shows nothing.
  if (token === undefined || token.expiresAtMs - Date.now() < WATCH_MS) return;
  if (pace.remindsInstances)
    await Promise.all(house.instances.map((instance) => history.ask(instance, token)));
  if (turn % CLAIM_EVERY === 0 && token.format === 'identifier') await claimTogether(work, token);
  else {
    const paths = REVOCATION_PATHS.filter(({ formats }) => formats.includes(token.format));
    const path = paths[turn % paths.length];
    const attempt = async () => {
      await history.revoke(token, async () => path?.revoke(house.installation, token));
      return true;
    };
    while (!(await attempt().catch(() => false)) && !isOver()) await pause(RETRY_MS);
  }
  for (const instance of house.instances) void watchUntilDead(work, instance, token);
}

/** Has several callers use a token up at the same moment, on every instance. */
export async function claimTogether({ house, history }: Work, token: LoneToken): Promise<void> {
  const asked = Array.from({ length: CLAIMS }, (_, index) =>
    history.ask(house.instances[index % 2] ?? house.instances[0], token, true),
  );
  await Promise.all(asked);
}

/** Asks without many pauses until the token is inactive. */
export async function watchUntilDead(
  { history, isOver }: Pick<Work, 'history' | 'isOver'>,
  instance: Instance,
  token: LoneToken,
): Promise<void> {
  const begun = performance.now();
  for (;;) {
    if ((await history.ask(instance, token)) === 'inactive') return;
    const watchedMs = performance.now() - begun;
    if (watchedMs > WATCH_MS || isOver()) return;
    await pause(watchedMs < 30 ? 1 : watchedMs < 300 ? 5 : watchedMs < 1_200 ? 25 : 100);
  }
}
