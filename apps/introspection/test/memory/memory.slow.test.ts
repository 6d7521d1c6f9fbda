import { readFile } from 'node:fs/promises';
import { secureRandom } from '@vestibule/crypto';
import { activateSigningKey, addSigningKey, openKeyRing } from '@vestibule/crypto/signing-keys';
import { foreignSql } from '@vestibule/local-services/testing';
import { testRedisUrl } from '@vestibule/testkit';
import { digestTag } from '@vestibule/tokens/cache';
import { issueIdentifierToken, issueJwtToken } from '@vestibule/tokens/issuing';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aCachedInstance, aTimedService, type CachedInstance } from '../support/cached-instance.js';
import { activeMembers, basic, call, INACTIVE } from '../support/introspection-call.js';
import { consumeInParallel } from '../support/parallel-consumption.js';
import { aSeparateToken, REVOCATION_PATHS } from '../support/revocation-paths.js';
import { TERMINATE_ALL } from '../support/sql.js';
import { aGrant, CLIENT, ENDPOINT, SECRET, scopeOf } from '../support/test-service.js';

/** Waits until an instance has received the events of all earlier commits. */
const receivesEvents = ({ cache }: CachedInstance) => cache.states.settle();

/** A store that does not store tokens. */
const NOWHERE = { insert: async () => true };

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function createFixture() {
  const service = await aTimedService();
  return { service, sql: await foreignSql(service.databaseUrl) };
}

describe('an instance with a cache', () => {
  it('responds without the database, and with the new state when something changes', async () => {
    const { service, sql } = await createFixture();
    const instance = await aCachedInstance(service);
    const tokens = [await service.identifier(), await service.jwt()];
    const responses = [];
    for (const token of tokens) responses.push(activeMembers(await call(instance.app, { token })));
    const { storeQueries } = instance.cache.states.counters;
    for (const [index, token] of tokens.entries())
      expect(activeMembers(await call(instance.app, { token }))).toEqual(responses[index]);
    expect(instance.cache.states.counters.storeQueries).toBe(storeQueries);
    await sql(`UPDATE access_token SET scope = 'changed'`);
    await receivesEvents(instance);
    expect(activeMembers(await call(instance.app, { token: tokens[0] ?? '' }))['scope']).toBe('changed');
  });

  it('verifies with a new signing key and no longer with a withdrawn one, whatever key ids arrive', async () => {
    const { service } = await createFixture();
    const { keys, clock, issuing } = service;
    const { app, cache, database } = await aCachedInstance(service);
    const before = await service.jwt();
    activeMembers(await call(app, { token: before }));
    const invented = [encode({ alg: 'ES256', typ: 'at+jwt', kid: 'invented' }), encode({}), 'AAAA'].join('.');
    expect(await call(app, { token: invented })).toEqual(INACTIVE);
    const signing = { store: database.signingKeys, encryptor: keys.encryptor, clock };
    const { kid } = await addSigningKey(signing, { keySet: 'provider', use: 'sig', algorithm: 'ES256' });
    await activateSigningKey(signing, { keySet: 'provider', kid, publishedSeconds: 0, atOnce: true });
    const issuer = await openKeyRing({ ...signing, keySet: 'provider' });
    const { accessToken: after } = await issueJwtToken({ ...issuing, keys: issuer }, aGrant());
    await cache.states.settle();
    expect(await call(app, { token: before })).toEqual(INACTIVE);
    activeMembers(await call(app, { token: after }));
  });

  for (const { name, formats, revoke } of REVOCATION_PATHS) {
    it(`responds inactive after a revocation by ${name}`, async () => {
      const fixture = await createFixture();
      const instances = [await aCachedInstance(fixture.service), await aCachedInstance(fixture.service)];
      for (const format of formats) {
        const separate = await aSeparateToken(fixture, `lone-${format}`, format);
        for (const { app } of instances) activeMembers(await call(app, { token: separate.token }));
        await revoke(fixture, separate);
        for (const instance of instances) {
          await receivesEvents(instance);
          expect(await call(instance.app, { token: separate.token }), format).toEqual(INACTIVE);
        }
      }
    });
  }

  it('responds active once for a consumed token on any number of instances', async () => {
    const { service } = await createFixture();
    const redisUrl = await testRedisUrl();
    const instances = [
      await aCachedInstance(service, { redisUrl, isPatient: true }),
      await aCachedInstance(service, { redisUrl, isPatient: true }),
    ];
    const token = await service.identifier({ audience: ['rs1'] });
    const apps = instances.map(({ app }) => app);
    for (const app of apps) activeMembers(await call(app, { token }));
    const winner = await consumeInParallel(apps, token, 100);
    expect(await call(winner.app, { token })).toEqual(INACTIVE);
    for (const instance of instances) {
      await receivesEvents(instance);
      expect(await call(instance.app, { token })).toEqual(INACTIVE);
    }
  });

  it('responds active as soon as a token is issued, however often it was introspected just before', async () => {
    const { service } = await createFixture();
    const { app } = await aCachedInstance(service, { redisUrl: await testRedisUrl() });
    for (let round = 0; round < 20; round += 1) {
      const bytes = secureRandom.bytes(128);
      const issuing = { ...service.issuing, random: { bytes: (count: number) => bytes.subarray(0, count) } };
      const grant = { clientId: CLIENT, scope: scopeOf('read'), lifetimeSeconds: 60 };
      // Equal randomness makes equal tokens: first an unknown one, then the issued one.
      const { accessToken: token } = await issueIdentifierToken({ ...issuing, accessTokens: NOWHERE }, grant);
      const before = Array.from({ length: 5 }, () => call(app, { token }));
      await issueIdentifierToken(issuing, grant);
      activeMembers(await call(app, { token }));
      await Promise.all(before);
    }
  });

  it('authenticates callers again when their secret, scope or status changes, and caches no secrets', async () => {
    const { service, sql } = await createFixture();
    const instance = await aCachedInstance(service);
    const token = await service.identifier();
    const introspect = () => call(instance.app, { token });
    for (let round = 0; round < 3; round += 1) activeMembers(await introspect());
    const changes: readonly (readonly [string, number])[] = [
      [`UPDATE client SET metadata = metadata || '{"scope":"read"}' WHERE id = 'rs1'`, 403],
      [`UPDATE client SET status = 'pending' WHERE id = 'rs1'`, 401],
      [`UPDATE client SET status = 'active', secret_expires_at = now() WHERE id = 'rs1'`, 401],
      [`UPDATE client SET secret_expires_at = NULL, secret_digest = sha256('x') WHERE id = 'rs1'`, 401],
      [`DELETE FROM client WHERE id = 'rs1'`, 401],
    ];
    for (const [change, status] of changes) {
      await sql(change);
      await receivesEvents(instance);
      expect((await introspect()).status, change).toBe(status);
    }
    expect((await call(instance.app, { token }, { authorization: basic('rs1', `${SECRET}x`) })).status).toBe(
      401,
    );
  });

  it('accepts a new secret as soon as it is stored, before its event, and refuses the previous one after it', async () => {
    const { service, sql } = await createFixture();
    const instance = await aCachedInstance(service);
    const token = await service.identifier();
    const introspect = (secret: string) =>
      call(instance.app, { token }, { authorization: basic('rs1', secret) });
    activeMembers(await introspect(SECRET));
    let before = SECRET;
    for (let round = 0; round < 20; round += 1) {
      const secret = `${SECRET}${round}`;
      const digest = service.deps.digester.digest('client-secret', secret);
      await sql(`UPDATE client SET secret_digest = $1 WHERE id = 'rs1'`, [digest]);
      activeMembers(await introspect(secret));
      await receivesEvents(instance);
      expect((await introspect(before)).status).toBe(401);
      before = secret;
    }
  });

  it('checks token and client of bearer callers at each request', async () => {
    const { service, sql } = await createFixture();
    const instance = await aCachedInstance(service);
    const token = await service.identifier();
    const authorization = `Bearer ${await service.identifier({ scope: scopeOf(ENDPOINT) })}`;
    const introspect = () => call(instance.app, { token }, { authorization });
    for (let round = 0; round < 2; round += 1) activeMembers(await introspect());
    await sql(`UPDATE client SET status = 'pending' WHERE id = $1`, [CLIENT]);
    await receivesEvents(instance);
    expect((await introspect()).status).toBe(401);
  });

  it('survives the loss of all its connections without a wrong response', async () => {
    const { service, sql } = await createFixture();
    const instance = await aCachedInstance(service);
    const tokens = await Promise.all(Array.from({ length: 5 }, () => service.identifier()));
    for (let round = 0; round < 10; round += 1) {
      await sql(TERMINATE_ALL);
      for (const token of tokens) activeMembers(await call(instance.app, { token }));
    }
    await vi.waitFor(() => receivesEvents(instance), 60_000);
  });

  it('ignores values in Redis that were copied to another key, or forged', async () => {
    const { service, sql } = await createFixture();
    const redisUrl = await testRedisUrl();
    const redis = new Redis(redisUrl);
    onTestFinished(() => redis.disconnect());
    const filler = await aCachedInstance(service, { redisUrl });
    const live = await service.identifier();
    const dead = await service.identifier();
    activeMembers(await call(filler.app, { token: live }));
    const keyOf = (token: string) => {
      const digest = service.deps.digester.digest('access-token', token);
      return `vestibule:1:token:${Buffer.from(digestTag(digest), 'base64').toString('base64url')}`;
    };
    const value = await vi.waitUntil(() => redis.get(keyOf(live)), 60_000);
    expect(value).not.toContain('alice');
    await sql('DELETE FROM access_token WHERE digest = $1', [
      service.deps.digester.digest('access-token', dead),
    ]);
    const reader = await aCachedInstance(service, { redisUrl });
    for (const planted of [value, 'garbage', '']) {
      await redis.set(keyOf(dead), planted);
      expect(await call(reader.app, { token: dead })).toEqual(INACTIVE);
    }
    expect(reader.cache.states.counters.sharedHits).toBe(0);
  });

  it('counts lookups, events and entries', async () => {
    const { service } = await createFixture();
    const { app, registry } = await aCachedInstance(service);
    const token = await service.identifier();
    for (let round = 0; round < 4; round += 1) await call(app, { token });
    const text = await registry.metrics();
    expect(text).toContain('token_state_reads_total{source="store",service="introspection"} 1');
    expect(text).toContain('token_state_reads_total{source="memory",service="introspection"} 3');
    expect(text).toContain('token_cache_entries{service="introspection"} 1');
    expect(text).toMatch(/invalidation_watermark_age_seconds\{service="introspection"\} 0\.\d+/);
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    for (const [, name = ''] of text.matchAll(/^# TYPE ((?:token|revocation)_\w+)/gm))
      expect(readme).toContain(name);
  });
});
