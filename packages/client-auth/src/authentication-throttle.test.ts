import { setImmediate } from 'node:timers/promises';
import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it } from 'vitest';
import {
  type AuthenticationAttempt,
  type AuthenticationOutcome,
  authenticationThrottle,
} from './authentication-throttle.js';
import { InvalidClientError, UnknownClientError } from './invalid-client-error.js';

const PER_MINUTE = 6;
const HERE = '192.0.2.0/24';
const ELSEWHERE = '198.51.100.0/24';

type Judgement = 'right' | 'wrong' | 'unknown';

function aThrottle() {
  const clock = frozenClock();
  const outcomes: AuthenticationOutcome[] = [];
  const onOutcome = (outcome: AuthenticationOutcome) => void outcomes.push(outcome);
  const { guard } = authenticationThrottle({ clock, perMinute: PER_MINUTE, onOutcome });
  let judged = 0;
  /** Tries, and gives how it went. */
  const attempt = (judgement: Judgement, identity: string, deviation: Partial<AuthenticationAttempt> = {}) =>
    guard({ kind: 'client', network: HERE, isCheap: false, identity, ...deviation }, async (isSuspect) => {
      judged += 1;
      await setImmediate();
      if (judgement === 'unknown') throw new UnknownClientError();
      if (judgement === 'wrong') throw new InvalidClientError('wrong');
      return isSuspect ? 'suspect' : 'proven';
    }).catch((error: { code: string }) => error.code);
  const exhaust = async (judgement: Judgement, identity: (time: number) => string, deviation = {}) => {
    for (let time = 0; time < PER_MINUTE; time += 1)
      expect(await attempt(judgement, identity(time), deviation)).toBe('invalid_client');
  };
  return { clock, guard, attempt, exhaust, outcomes, judged: () => judged };
}

const THROTTLED = 'too_many_requests';

it('judges nobody whose name failed too often from a network, there alone, until failures have come back', async () => {
  for (const judgement of ['wrong', 'unknown'] as const) {
    const { attempt, exhaust, clock, judged } = aThrottle();
    await exhaust(judgement, () => 'x');
    expect(await attempt(judgement, 'x')).toBe(THROTTLED);
    expect(judged()).toBe(PER_MINUTE);
    expect(await attempt('right', 'x', { network: ELSEWHERE })).toBe('proven');
    expect(await attempt('right', 'y')).toBe('proven');
    clock.advanceSeconds(10);
    expect(await attempt(judgement, 'x')).toBe('invalid_client');
    expect(await attempt(judgement, 'x')).toBe(THROTTLED);
  }
});

it('judges no newcomer from a network where too many failed, whether those exist or not, and no other network', async () => {
  for (const judgement of ['wrong', 'unknown'] as const) {
    const { attempt, exhaust, judged } = aThrottle();
    await exhaust(judgement, String);
    expect(await attempt(judgement, 'x')).toBe(THROTTLED);
    expect(judged()).toBe(PER_MINUTE);
    expect(await attempt('right', 'x', { network: ELSEWHERE })).toBe('proven');
  }
});

it('counts one who fails again and again once in a minute against its network', async () => {
  const { attempt, exhaust, clock } = aThrottle();
  await exhaust('unknown', () => 'x');
  for (let time = 0; time < 20; time += 1) await attempt('unknown', 'x');
  for (let other = 1; other < PER_MINUTE; other += 1)
    expect(await attempt('wrong', String(other))).toBe('invalid_client');
  expect(await attempt('wrong', 'y')).toBe(THROTTLED);
  clock.advanceSeconds(60);
  expect(await attempt('wrong', 'y')).toBe('invalid_client');
});

it('refuses nobody who proved itself from the network lately for what others do there', async () => {
  const { attempt, exhaust } = aThrottle();
  expect(await attempt('right', 'x')).toBe('proven');
  await exhaust('unknown', String);
  expect(await attempt('right', 'newcomer')).toBe(THROTTLED);
  expect(await attempt('right', 'x')).toBe('proven');
  expect(await attempt('right', 'x', { credential: 'another' })).toBe('proven');
});

it('judges a credential that proved itself lately, whoever fails under its name, until it fails itself', async () => {
  const { attempt, exhaust } = aThrottle();
  const credential = 'c';
  expect(await attempt('right', 'x', { credential })).toBe('proven');
  await exhaust('wrong', () => 'x');
  expect(await attempt('right', 'x')).toBe(THROTTLED);
  expect(await attempt('right', 'x', { credential })).toBe('proven');
  expect(await attempt('wrong', 'x', { credential })).toBe('invalid_client');
  expect(await attempt('wrong', 'x', { credential })).toBe(THROTTLED);
});

it('still compares secrets of who exists, as those of a suspect, and tells of a wrong one no more than of none', async () => {
  const { attempt, exhaust } = aThrottle();
  await exhaust('wrong', () => 'x', { isCheap: true });
  expect(await attempt('right', 'x', { isCheap: true })).toBe('suspect');
  expect(await attempt('wrong', 'x', { isCheap: true })).toBe(THROTTLED);
  await exhaust('unknown', () => 'nobody', { isCheap: true });
  expect(await attempt('unknown', 'nobody', { isCheap: true })).toBe(THROTTLED);
});

it('judges four newcomers of a network at once, and of those that wait only as many as may fail', async () => {
  const { attempt, judged } = aThrottle();
  const first = Array.from({ length: 200 }, (_, index) => attempt('unknown', String(index)));
  expect(await attempt('right', 'x', { network: ELSEWHERE })).toBe('proven');
  const ends = await Promise.all(first);
  // Those that were being judged together when the last failure that fits was counted.
  expect(ends.filter((end) => end === 'invalid_client').length).toBeLessThan(PER_MINUTE + 4);
  expect(judged()).toBeLessThan(1 + PER_MINUTE + 4);
});

it('lets everybody pass who comes at once with the same right credential, and none wait once one has proven itself', async () => {
  const { guard } = aThrottle();
  let atOnce = 0;
  let most = 0;
  const attempt = { kind: 'client', network: HERE, isCheap: false, identity: 'x' } as const;
  const judge = async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await setImmediate();
    atOnce -= 1;
    return 'proven';
  };
  const all = await Promise.all(Array.from({ length: 200 }, () => guard(attempt, judge)));
  expect(new Set(all)).toEqual(new Set(['proven']));
  expect(most).toBeGreaterThan(100);
});

it('counts tokens apart from clients', async () => {
  const { attempt, exhaust } = aThrottle();
  await exhaust('wrong', String, { kind: 'token' });
  expect(await attempt('right', 'x', { kind: 'token' })).toBe(THROTTLED);
  expect(await attempt('right', 'x')).toBe('proven');
});

it('counts no fault against anybody, and gives its turn on', async () => {
  const { guard, attempt } = aThrottle();
  for (let time = 0; time < 3 * PER_MINUTE; time += 1) {
    const attempted = { kind: 'client', network: HERE, isCheap: false, identity: 'x' } as const;
    const fault = guard(attempted, () => Promise.reject(new TypeError('no store')));
    await expect(fault).rejects.toThrow('no store');
  }
  expect(await attempt('right', 'x')).toBe('proven');
});

it('tells how attempts ended', async () => {
  const { attempt, outcomes } = aThrottle();
  await attempt('right', 'a');
  await attempt('wrong', 'b');
  await attempt('unknown', 'c');
  await attempt('wrong', 'd', { kind: 'token' });
  for (let time = 0; time < 3; time += 1) await attempt('wrong', 'x', { isCheap: true });
  expect(outcomes.splice(0)).toEqual([
    'proven',
    'wrong_credential',
    'unknown_client',
    'dead_token',
    'wrong_credential',
    'wrong_credential',
    'wrong_credential',
  ]);
  for (let time = 0; time < 4; time += 1) await attempt('wrong', 'x', { isCheap: true });
  expect(outcomes).toEqual(['wrong_credential', 'wrong_credential', 'wrong_credential', 'throttled']);
});
