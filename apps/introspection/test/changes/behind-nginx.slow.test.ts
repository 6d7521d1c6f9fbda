import { systemClock } from '@vestibule/protocol';
import { revokeToken } from '@vestibule/tokens/revocation';
import { describe, expect, it } from 'vitest';
import { aCachedInstance, aTimedService } from '../support/cached-instance.js';
import { changesAt, changesFrom } from '../support/change-reader.js';
import { composeGateway, debianDefaults, startNginxBefore } from '../support/nginx-proxy.js';
import { anApi } from '../support/resource-server.js';

const HEARTBEATS = 20;
const REVOCATIONS = 5;
/** Twice the time between two heartbeats, which have the time at which the watermark was read, in milliseconds. */
const MAX_UNEVENNESS_MS = 500;
/** What a revocation may take to reach a resource server, in milliseconds. */
const BOUND_MS = 1_000;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

describe.each([
  ['the gateway of the compose file', composeGateway],
  ['nginx with the defaults of Debian', debianDefaults],
])('the stream of changes behind %s', (_name, configure) => {
  it('passes each heartbeat on when it is sent', async () => {
    const { app } = await aCachedInstance(await aTimedService());
    const { response, next } = await changesAt(await startNginxBefore(app, configure));
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect(response.headers['content-encoding']).toBeUndefined();
    const delays: number[] = [];
    while (delays.length < HEARTBEATS) {
      const { data } = await next('heartbeat');
      delays.push(performance.now() - data.time);
    }
    // The clocks have different origins. A buffer would hold heartbeats of several seconds.
    const shortest = Math.min(...delays);
    expect(median(delays.map((delay) => delay - shortest))).toBeLessThan(MAX_UNEVENNESS_MS);
  });

  it('passes each invalidation event on at once', async () => {
    const service = await aTimedService();
    const { app } = await aCachedInstance(service);
    const { next } = await changesAt(await startNginxBefore(app, configure));
    await next('heartbeat');
    const times: number[] = [];
    while (times.length < REVOCATIONS) {
      const token = await service.identifier();
      await revokeToken(service.revocationDeps, token);
      const revokedAtMs = performance.now();
      await next('invalidate');
      times.push(performance.now() - revokedAtMs);
    }
    expect(median(times)).toBeLessThan(BOUND_MS);
  });

  it('lets an API cache tokens, and refuse a revoked one', async () => {
    const service = await aTimedService();
    const { app } = await aCachedInstance(service);
    const address = `http://127.0.0.1:${await startNginxBefore(app, configure)}`;
    const { api, outcome } = await anApi({ app, clock: systemClock }, undefined, {
      introspectionEndpoint: `${address}/token/introspect`,
      changes: { endpoint: `${address}/token/changes` },
      resource: { identifier: 'https://orders.example', audience: 'unchecked' },
    });
    const metric = api.metrics.all.find(({ name }) => name === 'resource_server_cache_hits_total');
    const cacheHits = () => metric?.read()[0]?.value ?? 0;
    const token = await service.identifier();
    await expect
      .poll(async () => [await outcome(token), cacheHits() > 0], { interval: 5 })
      .toEqual(['accepted alice', true]);
    const { next } = await changesFrom(app);
    const before = cacheHits();
    for (let count = 0; count < HEARTBEATS; count += 1) {
      await next('heartbeat');
      expect(await outcome(token)).toBe('accepted alice');
    }
    // While heartbeats are held back, each request is introspected.
    expect(cacheHits() - before).toBeGreaterThan(HEARTBEATS / 2);
    await revokeToken(service.revocationDeps, token);
    await expect.poll(() => outcome(token), { interval: 5 }).toBe('401 inactive');
  });
});
