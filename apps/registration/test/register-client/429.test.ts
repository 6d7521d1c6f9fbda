import { testRedisUrl } from '@vestibule/testkit';
import { expect, it, vi } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { information, NO_STORE, send } from '../support/calls.js';
import { race } from '../support/race.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };

/** An empty response with the time after which to retry. */
function throttled(seconds: unknown) {
  return { status: 429, headers: { ...NO_STORE, 'retry-after': seconds }, body: '' };
}

it('refuses a network that sends too many requests with Retry-After, and serves the others', async () => {
  const { app, clock, initialToken } = await buildTestApp({
    ALLOW_OPEN_REGISTRATION: 'true',
    OPEN_REGISTRATIONS_PER_HOUR_AND_NETWORK: '2',
    REGISTRATIONS_PER_HOUR_AND_INITIAL_TOKEN: '2',
  });
  const register = (token?: string) => send(app, 'POST /clients', { token, body: BODY });
  information(await register());
  information(await register());
  expect(await register()).toEqual(throttled('1800'));
  information(await register(MASTER));
  const token = await initialToken('client-reg', { usesLeft: 5 });
  information(await register(token));
  information(await register(token));
  expect(await register(token)).toEqual(throttled('1800'));
  clock.advanceSeconds(1800);
  expect(await register()).toMatchObject({ status: 200 });
  expect(await register()).toMatchObject({ status: 429 });
});

// A client that could choose its bucket would have as many as it likes.
it('accepts the client address only from trusted proxies', async () => {
  const settings = { ALLOW_OPEN_REGISTRATION: 'true', OPEN_REGISTRATIONS_PER_HOUR_AND_NETWORK: '1' };
  const spoofed = async (trustedProxies?: string) => {
    const { app } = await buildTestApp({
      ...settings,
      ...(trustedProxies && { TRUSTED_PROXIES: trustedProxies }),
    });
    const responses = [];
    for (const address of ['192.0.2.1', '198.51.100.1', '203.0.113.1']) {
      const headers = { 'x-forwarded-for': address, forwarded: `for=${address}`, 'x-real-ip': address };
      responses.push((await send(app, 'POST /clients', { body: BODY, headers })).status);
    }
    return responses;
  };
  expect(await spoofed()).toEqual([200, 429, 429]);
  expect(await spoofed('127.0.0.1')).toEqual([200, 200, 200]);
});

it('limits one software, whatever its network, and all of them in total', async () => {
  const { app } = await buildTestApp({
    ALLOW_OPEN_REGISTRATION: 'true',
    OPEN_REGISTRATIONS_PER_HOUR_AND_SOFTWARE: '1',
    OPEN_REGISTRATIONS_PER_HOUR: '3',
  });
  const register = async (software_id: string) =>
    (await send(app, 'POST /clients', { body: { ...BODY, software_id } })).status;
  expect(await register('one')).toBe(200);
  expect(await register('one')).toBe(429);
  expect(await register('other')).toBe(200);
  expect(await register('third')).toBe(429);
});

it('keeps the number of unused open registrations below its limit, over two instances', async () => {
  const service = await buildTestApp({
    ALLOW_OPEN_REGISTRATION: 'true',
    MAX_UNUSED_OPEN_CLIENTS: '10',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  const { app, anotherInstance, all } = service;
  const responses = await race([service, await anotherInstance()], 100, (instance, index) =>
    send(instance, 'POST /clients', { body: BODY, headers: { 'x-forwarded-for': `198.51.${index}.1` } }),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(responses.filter(({ status }) => status !== 200)).toEqual(Array(90).fill(throttled('300')));
  expect(await all()).toHaveLength(10);
  information(await send(app, 'POST /clients', { token: MASTER, body: BODY }));
});

it('reserves a part of that limit for networks that hold few, however many requests others send', async () => {
  const { app } = await buildTestApp({
    ALLOW_OPEN_REGISTRATION: 'true',
    MAX_UNUSED_OPEN_CLIENTS: '100',
    OPEN_REGISTRATIONS_PER_HOUR_AND_NETWORK: '0',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  const register = async (address: string) =>
    (await send(app, 'POST /clients', { body: BODY, headers: { 'x-forwarded-for': address } })).status;
  const flood = async (network: number) => {
    for (let host = 1; host < 100; host += 1)
      if ((await register(`198.51.${network}.${host}`)) === 429) return host - 1;
    return 99;
  };
  expect([await flood(1), await flood(2), await flood(3)]).toEqual([50, 25, 13]);
  for (let network = 10; network < 20; network += 1)
    expect(await register(`198.51.${network}.1`), String(network)).toBe(200);
});

// Otherwise a limit would grow with the number of instances.
it('counts for all instances together if there is a Redis', async () => {
  const service = await buildTestApp({
    ALLOW_OPEN_REGISTRATION: 'true',
    OPEN_REGISTRATIONS_PER_HOUR_AND_NETWORK: '6',
    REDIS_URL: await testRedisUrl(),
  });
  const instances = [service, await service.anotherInstance()];
  const probe = { name: 'probe', limit: 100, windowMs: 3_600_000 };
  let subject = 0;
  await vi.waitUntil(async () => {
    subject += 1;
    const counts = [];
    for (const { rateLimits } of instances) counts.push(await rateLimits.count(probe, String(subject)));
    return counts.some((count) => count.outcome === 'within' && count.remaining === 98);
  }, 60_000);
  const responses = await race(instances, 20, (app) => send(app, 'POST /clients', { body: BODY }));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(6);
  expect(responses.filter(({ status }) => status !== 200)).toEqual(
    Array(14).fill(throttled(expect.stringMatching(/^\d+$/))),
  );
});

it('counts per instance while Redis does not respond', async () => {
  const service = await buildTestApp({
    ALLOW_OPEN_REGISTRATION: 'true',
    OPEN_REGISTRATIONS_PER_HOUR_AND_NETWORK: '3',
    REDIS_URL: 'redis://127.0.0.1:1',
  });
  for (const instance of [service, await service.anotherInstance()]) {
    const responses = await race([instance], 10, (app) => send(app, 'POST /clients', { body: BODY }));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(7);
  }
});

it('limits nothing if limits are off', async () => {
  const { app } = await buildTestApp({
    ALLOW_OPEN_REGISTRATION: 'true',
    RATE_LIMITS_ENABLED: 'false',
    MAX_UNUSED_OPEN_CLIENTS: '1',
    OPEN_REGISTRATIONS_PER_HOUR: '1',
  });
  for (let index = 0; index < 3; index += 1) information(await send(app, 'POST /clients', { body: BODY }));
});
