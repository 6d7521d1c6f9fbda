import { setTimeout as pause } from 'node:timers/promises';
import type { House, Instance } from '../stage/house.js';
import type { History } from './history.js';
import type { LoneToken } from './lone-token.js';
import { REVOCATION_PATHS } from './revocation-paths.js';
import type { TokenPool } from './token-pool.js';

/** What revoking takes. */
export interface RevocationWork {
  readonly house: House;
  readonly history: History;
  readonly pool: TokenPool;
  readonly isOver: () => boolean;
}

/** Every so many revocations a token is used up instead, by parallel callers. */
const CLAIM_EVERY = 6;
const CLAIMS = 4;
const RETRY_MS = 100;
/** For how long a revoked token is watched that does not die; longer than any promise. */
const WATCH_MS = 7_000;

/** Revokes the oldest token by the next path, tries until it is done, and then watches it die everywhere. */
export async function revokeOne(work: RevocationWork, turn: number): Promise<void> {
  const { house, history, pool, isOver } = work;
  const token = pool.takeOldest();
  // One that is about to expire shows nothing.
  if (token === undefined || token.expiresAtMs - Date.now() < WATCH_MS) return;
  if (turn % CLAIM_EVERY === 0 && token.format === 'identifier') {
    const asked = Array.from({ length: CLAIMS }, (_, index) =>
      history.ask(house.instances[index % 2] ?? house.instances[0], token, true),
    );
    await Promise.all(asked);
  } else {
    const paths = REVOCATION_PATHS.filter(({ formats }) => formats.includes(token.format));
    const path = paths[turn % paths.length];
    const attempt = async () => {
      await history.revoke(token, async () => path?.revoke(house.installation, token));
      return true;
    };
    while (!(await attempt().catch(() => false)) && !isOver()) await pause(RETRY_MS);
  }
  for (const instance of house.instances) void watch(work, instance, token);
}

/** Asks without many pauses until the token is inactive. */
async function watch(
  { history, isOver }: RevocationWork,
  instance: Instance,
  token: LoneToken,
): Promise<void> {
  const begun = performance.now();
  for (;;) {
    if ((await history.ask(instance, token)) === 'inactive') return;
    const watchedMs = performance.now() - begun;
    if (watchedMs > WATCH_MS || isOver()) return;
    await pause(watchedMs < 300 ? 5 : watchedMs < 1_200 ? 25 : 100);
  }
}
