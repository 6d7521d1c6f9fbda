import { closers, installRedisServer } from '@vestibule/local-services';
import { afterAll, expect, it } from 'vitest';
import { startRedisUnderFault } from './processes/redis.js';
import { failOver } from './trials/failover.js';
import { DEGRADED } from './trials/fault.js';

const KEPT = { stale: 0, resurrected: 0, falselyInactive: 0, claimedTwice: 0, lost: 0 };
const PACE = { readers: 4, readMs: 15, issuers: 3, tokens: 60, revokeMs: 30, revocationsAtOnce: 12 };
/** Limits on request duration and recovery apply to the full form only. */
const LIMITS = { ...DEGRADED, slowestMs: Number.POSITIVE_INFINITY, recoveryMs: Number.POSITIVE_INFINITY };
const WATCH = { downMs: 500, gapMs: 1_500, calmMs: 1_500, pace: PACE, limits: LIMITS };
/** Three servers start with fresh data. */
const PATIENCE_MS = 120_000;

const toEnd = closers();
afterAll(() => toEnd.closeAll());

async function aRedis() {
  const log = () => undefined;
  await installRedisServer(log);
  const redis = await startRedisUnderFault();
  toEnd.add(redis.stop);
  return { redis, log };
}

it(
  'loses nothing that was acknowledged when a synchronous standby is promoted, and reports the promotion',
  async () => {
    const { problems, violations, requests } = await failOver(await aRedis(), 'synchronous', WATCH);
    expect({ problems, violations }).toEqual({ problems: [], violations: KEPT });
    expect(requests).toBeGreaterThan(100);
  },
  PATIENCE_MS,
);

it(
  'loses only what an asynchronous standby had not received, and warned about that risk before',
  async () => {
    const { problems, violations, remarks } = await failOver(await aRedis(), 'asynchronous', WATCH);
    expect({ problems, violations }).toEqual({ problems: [], violations: KEPT });
    expect(remarks.join()).toMatch(/lost: [1-9]\d* revocations, \d+ uses and [1-9]\d* tokens/);
  },
  PATIENCE_MS,
);
