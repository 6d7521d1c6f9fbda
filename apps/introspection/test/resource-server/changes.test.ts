import { setImmediate } from 'node:timers/promises';
import { foreignSql } from '@vestibule/local-services/testing';
import { type ClientId, nowSeconds, systemClock } from '@vestibule/protocol';
import type { ClientCredentials, ResourceServerOptions } from '@vestibule/resource-server';
import { revokeToken } from '@vestibule/tokens/revocation';
import { describe, expect, it } from 'vitest';
import { aCachedInstance, aTimedService, type CachedInstance } from '../support/cached-instance.js';
import { registerCaller } from '../support/callers.js';
import { API, anApi } from '../support/resource-server.js';
import { aSeparateToken, REVOCATION_PATHS } from '../support/revocation-paths.js';
import { ENDPOINT, scopeOf } from '../support/test-service.js';

const PATIENCE = { timeout: 60_000, interval: 5 };

/** An API that introspects at one instance, and follows the stream of changes of another one. */
async function aFollower(
  asked: CachedInstance,
  followed: CachedInstance = asked,
  credentials?: ClientCredentials,
  deviation: Partial<ResourceServerOptions> = {},
) {
  const { port } = await anApi({ app: followed.app, clock: systemClock });
  const fixture = await anApi({ app: asked.app, clock: systemClock }, credentials, {
    resource: { identifier: API, audience: 'unchecked' },
    changes: { endpoint: `http://127.0.0.1:${port}/token/changes` },
    ...deviation,
  });
  const { api, outcome } = fixture;
  const cacheHits = () =>
    api.metrics.all.find(({ name }) => name === 'resource_server_cache_hits_total')?.read()[0]?.value ?? 0;
  /** Waits until requests with the token are accepted from the cache. */
  const isCached = async (token: string) => {
    const before = cacheHits();
    await expect
      .poll(async () => (await outcome(token)).startsWith('accepted') && cacheHits() > before, PATIENCE)
      .toBe(true);
  };
  const becomes = (token: string, expected: string) =>
    expect.poll(() => outcome(token), PATIENCE).toBe(expected);
  return { ...fixture, isCached, becomes };
}

describe('an API that follows the stream of changes of this service', () => {
  it.each(
    REVOCATION_PATHS.flatMap((path) => path.formats.map((format) => [path.name, format, path] as const)),
  )('refuses a cached token after a revocation by %s (%s)', async (_name, format, path) => {
    const service = await aTimedService();
    const sql = await foreignSql(service.databaseUrl);
    const { isCached, becomes } = await aFollower(
      await aCachedInstance(service),
      await aCachedInstance(service),
    );
    const token = await aSeparateToken({ service, sql }, 'separate', format);
    await isCached(token.token);
    await path.revoke({ service, sql }, token);
    await becomes(token.token, '401 inactive');
  });

  it('accepts no token that was revoked a second before, and refuses no other one', async () => {
    const service = await aTimedService();
    const { outcome, isCached } = await aFollower(
      await aCachedInstance(service),
      await aCachedInstance(service),
    );
    const live = await service.identifier();
    await isCached(live);
    const seen = new Set<string>();
    for (let round = 0; round < 10; round += 1) {
      const token = await service.identifier();
      await isCached(token);
      await revokeToken(service.revocationDeps, token);
      const revokedAtMs = performance.now();
      let acceptedAtMs = revokedAtMs;
      for (;;) {
        const startedAtMs = performance.now();
        if ((await outcome(token)) === '401 inactive') break;
        acceptedAtMs = startedAtMs;
        seen.add(await outcome(live));
        // Cached tokens take no turn of the event loop, in which events arrive.
        await setImmediate();
      }
      // The service promises a second for its other instances, and the stream adds less than one.
      expect(acceptedAtMs - revokedAtMs).toBeLessThan(2_000);
    }
    expect([...seen, await outcome(live)]).toEqual(Array(seen.size + 1).fill('accepted alice'));
  });

  it('is refused the stream, and every token, when its own registration is deleted', async () => {
    const service = await aTimedService();
    const { isCached, becomes, problems } = await aFollower(await aCachedInstance(service));
    const token = await service.identifier();
    await isCached(token);
    await service.database.clients.delete('rs1' as ClientId, nowSeconds(systemClock));
    await becomes(token, '503 unavailable');
    expect(problems.map(({ reason }) => reason)).toContain('credentials_refused');
  });

  it('may authenticate with an access token', async () => {
    const service = await aTimedService();
    const instance = await aCachedInstance(service);
    await registerCaller(service, 'rs3', 'client_secret_basic');
    const own = await service.identifier({ clientId: 'rs3' as ClientId, scope: scopeOf(ENDPOINT) });
    const credentials = { method: 'access_token', clientId: 'rs3', accessToken: async () => own } as const;
    const { isCached } = await aFollower(instance, instance, credentials);
    await isCached(await service.identifier());
  });
});
