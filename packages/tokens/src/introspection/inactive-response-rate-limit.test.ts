import { type ClientId, ThrottledError } from '@vestibule/protocol';
import { tokenBuckets } from '@vestibule/protocol/rate-limits';
import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it } from 'vitest';
import { inactiveResponseRateLimit } from './inactive-response-rate-limit.js';

const CALLER = 'caller' as ClientId;
const OTHER = 'other' as ClientId;
const PER_MINUTE = 3;

function aLimit() {
  const clock = frozenClock();
  const limit = inactiveResponseRateLimit({ clock, store: tokenBuckets({ clock }), perMinute: PER_MINUTE });
  const isAdmitted = (caller: ClientId) => {
    try {
      limit.admit(caller);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(ThrottledError);
      return false;
    }
  };
  return { clock, limit, isAdmitted };
}

it('refuses the response beyond the limit, then the caller and no other one, until the limit allows another response', async () => {
  const { clock, limit, isAdmitted } = aLimit();
  for (let guess = 0; guess < PER_MINUTE; guess += 1) await limit.consume(CALLER, 'unknown');
  expect(isAdmitted(CALLER)).toBe(true);
  await expect(limit.consume(CALLER, 'unknown')).rejects.toBeInstanceOf(ThrottledError);
  expect([isAdmitted(CALLER), isAdmitted(OTHER)]).toEqual([false, true]);
  clock.advanceSeconds(60 / PER_MINUTE);
  expect(isAdmitted(CALLER)).toBe(true);
  await expect(limit.consume(CALLER, 'unknown')).resolves.toBeUndefined();
});

it('does not count malformed, expired, revoked or not yet valid tokens, nor those of expired clients, but all other reasons', async () => {
  const { limit } = aLimit();
  for (const reason of ['malformed', 'expired', 'revoked', 'client_expired', 'not_yet_valid'] as const)
    for (let times = 0; times <= PER_MINUTE; times += 1)
      expect(limit.consume(CALLER, reason)).toBeUndefined();
  for (const reason of ['unknown', 'not_ours', 'foreign_audience'] as const)
    await limit.consume(CALLER, reason);
  await expect(limit.consume(CALLER, 'unknown')).rejects.toBeInstanceOf(ThrottledError);
});
