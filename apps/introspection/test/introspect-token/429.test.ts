import type { ClientId } from '@vestibule/protocol';
import { tokenBuckets } from '@vestibule/protocol/rate-limits';
import { type FrozenClock, frozenClock } from '@vestibule/protocol/testing';
import { inactiveResponseRateLimit } from '@vestibule/tokens/introspection';
import { expect, it } from 'vitest';
import { aCachedInstance, aTimedService } from '../support/cached-instance.js';
import {
  activeMembers,
  basic,
  call,
  INACTIVE,
  JSON_HEADERS,
  type Seen,
} from '../support/introspection-call.js';
import { ACCEPT } from '../support/signed-response.js';
import { aTestService } from '../support/test-service.js';

/** Text with the syntax of a token. */
const GUESS = 'x'.repeat(43);

function budget(clock: FrozenClock, perMinute = 6) {
  return inactiveResponseRateLimit({ clock, store: tokenBuckets({ clock }), perMinute });
}

function throttled(seconds: number): Seen {
  return {
    status: 429,
    headers: { ...JSON_HEADERS, 'retry-after': String(seconds) },
    body: '{"error":"too_many_requests","error_description":"Too many requests, try again later"}',
  };
}

it('throttles a caller that guesses tokens, for a while, and no other caller', async () => {
  const clock = frozenClock();
  const service = await aTestService({ clock, inactiveResponseRateLimit: budget(clock) });
  await service.register('rs2');
  const introspect = (token: string, id = 'rs1') =>
    call(service.app, { token }, { authorization: basic(id) });
  const others = await service.jwt({ audience: ['rs2'] });
  const guesses = [others, ...['v', 'w', 'x', 'y', 'z'].map((letter) => letter.repeat(43))];
  for (const guess of guesses) expect(await introspect(guess)).toEqual(INACTIVE);
  expect(await introspect(GUESS)).toEqual(throttled(10));
  clock.advanceSeconds(4);
  expect(await introspect('z'.repeat(43))).toEqual(throttled(6));
  expect(await introspect(GUESS, 'rs2')).toEqual(INACTIVE);
  activeMembers(await introspect(await service.identifier(), 'rs2'));
  clock.advanceSeconds(6);
  expect(await introspect(GUESS)).toEqual(INACTIVE);
  expect(await introspect(GUESS)).toEqual(throttled(10));
});

it('does not count responses about tokens that have ended, which are not guesses', async () => {
  const clock = frozenClock();
  const service = await aTestService({ clock, inactiveResponseRateLimit: budget(clock, 1) });
  const token = await service.jwt();
  clock.advanceSeconds(86_400);
  for (let time = 0; time < 5; time += 1) expect(await call(service.app, { token })).toEqual(INACTIVE);
  expect(await call(service.app, { token: GUESS })).toEqual(INACTIVE);
  expect(await call(service.app, { token: GUESS })).toEqual(throttled(60));
});

it('does not count active responses, and throttles signed responses too', async () => {
  const clock = frozenClock();
  const service = await aTestService({ clock, inactiveResponseRateLimit: budget(clock, 1) });
  const token = await service.identifier();
  const introspect = (text: string) =>
    call(service.app, { token: text }, { headers: { accept: ACCEPT.jwt } });
  for (let time = 0; time < 5; time += 1) expect(await introspect(token)).toMatchObject({ status: 200 });
  expect(await introspect(GUESS)).toMatchObject({ status: 200 });
  expect(await introspect(GUESS)).toEqual(throttled(60));
});

it('looks nothing up for a throttled caller, nor for text that cannot be a token, and consumes nothing', async () => {
  const clock = frozenClock();
  let lookups = 0;
  const { database } = await aTestService();
  const accessTokens = {
    ...database.accessTokens,
    find: async () => {
      lookups += 1;
      return undefined;
    },
  };
  const service = await aTestService({ clock, accessTokens, inactiveResponseRateLimit: budget(clock, 1) });
  for (const guess of ['x', 'x y', `${'x'.repeat(1_100)}`]) await call(service.app, { token: guess });
  expect(lookups).toBe(0);
  expect(await call(service.app, { token: GUESS })).toEqual(INACTIVE);
  expect(lookups).toBe(1);
  expect(await call(service.app, { token: GUESS })).toMatchObject({ status: 429 });
  const counted = lookups;
  for (const revoke of ['true', 'false'])
    expect(await call(service.app, { token: GUESS, revoke })).toMatchObject({ status: 429 });
  expect(lookups).toBe(counted);
});

it('still serves tokens that are cached as active, and never throttles with limits off', async () => {
  const service = await aTimedService();
  const token = await service.identifier({ clientId: 'client' as ClientId });
  const limited = await aCachedInstance(service, { environment: { INTROSPECTION_INACTIVE_PER_MINUTE: '1' } });
  activeMembers(await call(limited.app, { token }));
  expect(await call(limited.app, { token: GUESS })).toEqual(INACTIVE);
  expect(await call(limited.app, { token: GUESS })).toMatchObject({ status: 429 });
  activeMembers(await call(limited.app, { token }));
  const environment = { INTROSPECTION_INACTIVE_PER_MINUTE: '1', RATE_LIMITS_ENABLED: 'false' };
  const unlimited = await aCachedInstance(service, { environment });
  for (let time = 0; time < 5; time += 1)
    expect(await call(unlimited.app, { token: GUESS })).toEqual(INACTIVE);
});

it('does not count text that cannot be a token, because clients of a caller could use up its limit', async () => {
  const clock = frozenClock();
  const service = await aTestService({ clock, inactiveResponseRateLimit: budget(clock, 1) });
  for (const text of ['x', 'a.b.c', '-', 'x y', 'x'.repeat(1_100)])
    for (let time = 0; time < 3; time += 1)
      expect(await call(service.app, { token: text })).toEqual(INACTIVE);
  expect(await call(service.app, { token: GUESS })).toEqual(INACTIVE);
});
