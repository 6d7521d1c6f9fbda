import { frozenClock } from '@vestibule/protocol/testing';
import { anAccessToken, testRedisUrl } from '@vestibule/testkit';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { digestText } from './cache-key.js';
import { connectedRedis } from './testing/connected-redis.js';
import { someDigest } from './testing/some-digest.js';
import { tokenStateLevel } from './token-state-level.js';

const READERS = 3;

/** A step: time passes, the revoker advances, or a reader does. */
const step = fc.oneof(
  fc.record({ pass: fc.integer({ min: 0, max: 4_000 }) }),
  fc.constant('revoke' as const),
  fc.nat(READERS - 1),
);

/**
 * Otherwise a reader that read the store a moment earlier could undo a revocation: the revoked token would work again
 * on every instance.
 */
it('never returns an invalidated token, whatever the order of readers and revoker', async () => {
  const url = await testRedisUrl();
  const raw = new Redis(url);
  onTestFinished(() => raw.disconnect());
  const { redis } = await connectedRedis({ url });

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => {
      const clock = frozenClock();
      const level = tokenStateLevel({ redis, clock });
      const digest = someDigest();
      const key = `vestibule:1:token:${digestText(digest)}`;
      let isAliveInStore = true;
      let isInvalidated = false;
      /** What each reader has read from the store and not yet filled in. */
      const held: (number | undefined)[] = [];

      const revoke = async () => {
        if (isAliveInStore) isAliveInStore = false;
        else if (!isInvalidated) {
          await level.invalidate([digest]);
          isInvalidated = true;
        }
      };
      const read = async (reader: number) => {
        const readAtMs = held[reader];
        held[reader] = undefined;
        if (readAtMs !== undefined) return level.fill(digest, anAccessToken(), readAtMs);
        const { outcome } = await level.get(digest);
        if (isInvalidated) expect(outcome).not.toBe('live');
        if (outcome === 'miss' && isAliveInStore) held[reader] = clock.nowMs();
      };
      /** Shortens the lifetime of the entries, because the clock of the server cannot be moved. */
      const pass = async (ms: number) => {
        clock.advanceSeconds(ms / 1000);
        const remainingMs = await raw.pttl(key);
        if (remainingMs > ms) await raw.pexpire(key, remainingMs - ms);
        else await raw.del(key);
      };

      for (const next of steps) {
        if (next === 'revoke') await revoke();
        else if (typeof next === 'number') await read(next);
        else await pass(next.pass);
      }
    }),
    { numRuns: 300 },
  );
});
