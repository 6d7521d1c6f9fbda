import { generateKeyPairSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { sendRedisCommand, startRedis } from '@vestibule/local-services';
import { foreignSql } from '@vestibule/local-services/testing';
import { testRedisUrl } from '@vestibule/testkit';
import { expect, it, onTestFinished, vi } from 'vitest';
import { aCachedInstance, aTimedService, type CachedInstance } from '../support/cached-instance.js';
import { assertionForm, assertionOf, registerCaller } from '../support/callers.js';
import { type ChaosProxy, chaosProxy } from '../support/chaos-proxy.js';
import type { TestService } from '../support/test-service.js';

/** Two instances on one database and one Redis, each on a port of its own. */
async function twoInstances(redisUrl?: string) {
  const service = await aTimedService();
  await registerCaller(service, 'rs', 'private_key_jwt');
  const redis = await chaosProxy(redisUrl ?? (await testRedisUrl()));
  const instances = [
    await aCachedInstance(service, { redisUrl: redis.url }),
    await aCachedInstance(service, { redisUrl: redis.url }),
  ];
  const addresses = await Promise.all(instances.map(listening));
  const use = async (assertion: string, instance = 0) => {
    const body = new URLSearchParams({ token: 'x', ...assertionForm(assertion) });
    const response = await fetch(`${addresses[instance]}/token/introspect`, { method: 'POST', body });
    await response.text();
    return response.status;
  };
  const race = (assertion: string, uses: number) =>
    Promise.all(Array.from({ length: uses }, (_, n) => use(assertion, n % 2)));
  /** Expects that one of few parallel uses of an assertion is accepted, and that all others are refused. */
  const expectOneOfFew = async (assertion: string) => {
    expect((await race(assertion, 8)).toSorted()).toEqual([200, ...Array(7).fill(401)]);
  };
  /**
   * Expects that at most one of 200 parallel uses of an assertion and of a later one is accepted, and none after them. On a
   * busy machine uses that wait too long for the database end with 500, and the accepted one may be among them.
   */
  const expectOneOfMany = async (assertion: string) => {
    const statuses = await race(assertion, 200);
    const later = await vi.waitUntil(
      async () => {
        const status = await use(assertion);
        return status === 500 ? undefined : status;
      },
      { timeout: 60_000 },
    );
    const count = (status: number) => [...statuses, later].filter((each) => each === status).length;
    const [accepted, refused, late] = [count(200), count(401), count(500)];
    expect(accepted + refused + late).toBe(201);
    expect([0, 1]).toContain(accepted);
    if (late === 0) expect(accepted).toBe(1);
    expect(await use(assertion)).toBe(401);
  };
  const expectOneAccepted = async () => {
    await expectOneOfFew(await assertionOf(service, 'rs'));
    const assertion = await assertionOf(service, 'rs');
    await expectOneOfMany(assertion);
    return assertion;
  };
  return { service, redis, use, expectOneAccepted };
}

async function listening({ app }: CachedInstance): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Locks the table of used assertions until the end of the test. */
async function holdRecords({ databaseUrl }: TestService): Promise<void> {
  const sql = await foreignSql(databaseUrl);
  await sql('BEGIN');
  await sql('LOCK TABLE replayed_assertion');
}

const STATES: readonly (readonly [string, (redis: ChaosProxy) => void])[] = [
  ['works', () => undefined],
  ['is gone', (redis) => redis.refuse()],
  ['stands still', (redis) => redis.freeze()],
];

it.each(STATES)(
  'accepts one of 200 parallel uses of an assertion on two instances while Redis %s',
  async (_, cause) => {
    const { redis, expectOneAccepted } = await twoInstances();
    cause(redis);
    await expectOneAccepted();
  },
);

/** A Redis that refuses writes until there is memory. */
async function aFullRedis() {
  const { url, stop } = await startRedis();
  onTestFinished(stop);
  const limit = (bytes: number) => sendRedisCommand(url, `CONFIG SET maxmemory ${bytes}`);
  await sendRedisCommand(url, 'CONFIG SET maxmemory-policy noeviction');
  await limit(1);
  expect(await sendRedisCommand(url, 'SET a b')).toContain('OOM');
  return { url, makeRoom: () => limit(0) };
}

it('accepts one of 200 parallel uses of an assertion while Redis is full, and refuses it later', async () => {
  const { url, makeRoom } = await aFullRedis();
  const { use, expectOneAccepted } = await twoInstances(url);
  const assertion = await expectOneAccepted();
  await makeRoom();
  expect([await use(assertion), await use(assertion, 1)]).toEqual([401, 401]);
});

it('refuses a used assertion when Redis is lost, and when it returns without the use', async () => {
  const { service, redis, use } = await twoInstances();
  const [before, during] = [await assertionOf(service, 'rs'), await assertionOf(service, 'rs')];
  expect(await use(before)).toBe(200);
  redis.refuse();
  expect(await use(before, 1)).toBe(401);
  expect(await use(during)).toBe(200);
  redis.pass();
  expect(await use(during, 1)).toBe(401);
});

it('refuses an assertion if no store can report whether it was used', async () => {
  const { service, redis, use } = await twoInstances();
  await holdRecords(service);
  redis.refuse();
  expect(await use(await assertionOf(service, 'rs'))).toBe(500);
});

it('does not record the jti of an assertion with a forged signature', async () => {
  const { service, use } = await twoInstances();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = { algorithm: 'ES256', kid: 'k1', key: privateKey } as const;
  const jti = 'the-jti-of-the-victim';
  for (let time = 0; time < 3; time += 1)
    expect(await use(await assertionOf(service, 'rs', { jti }, { key }), time % 2)).toBe(401);
  expect(await use(await assertionOf(service, 'rs', { jti }))).toBe(200);
  expect(await use(await assertionOf(service, 'rs', { jti }), 1)).toBe(401);
});
