import { generateKeyPairSync } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ResourceServerOptions } from '../options.js';
import { json } from '../testing/authorization-server.js';
import { event, stamped, startChangeServer, tagOf } from '../testing/change-server.js';
import {
  active,
  aResourceServer,
  bearer,
  CREDENTIALS,
  summary,
  TOKEN,
} from '../testing/resource-server-fixture.js';

/** A resource server that follows a stream, whose monotonic clock stands still. */
async function createFixture(deviation: Partial<ResourceServerOptions> = {}) {
  const changes = await startChangeServer(json(active(), 200, stamped('e.10', 'token', 'client')));
  const fixture = aResourceServer(changes.server.url, { changes: {}, ...deviation });
  await changes.opened(1);
  const outcome = async (token = TOKEN) => summary(await fixture.server.verify(bearer(token)));
  /** Waits until what was written has been applied: until a request has the outcome. */
  const becomes = (expected: string, token = TOKEN) =>
    expect.poll(() => outcome(token), { timeout: 60_000, interval: 5 }).toBe(expected);
  /** Waits until the token is cached. */
  const isCached = async () => {
    await expect
      .poll(
        async () => {
          const before = changes.introspections();
          await outcome();
          return changes.introspections() - before;
        },
        { timeout: 60_000, interval: 5 },
      )
      .toBe(0);
  };
  return { ...fixture, changes, outcome, becomes, isCached };
}

const RESET = event('reset', 'e.10', { reason: 'no_position', at: '9' });

describe('an API that follows the stream of changes', () => {
  it('asks for cache tags, and introspects a token once while nothing changes', async () => {
    const { changes, outcome, isCached } = await createFixture();
    expect(await outcome()).toBe('accepted');
    expect(changes.server.requests.at(-1)?.headers.prefer).toBe('cache-tags');
    changes.write(RESET);
    await isCached();
    const before = changes.introspections();
    changes.introspect = json({ active: false });
    for (let index = 0; index < 10; index += 1) expect(await outcome()).toBe('accepted');
    expect(changes.introspections()).toBe(before);
  });

  it('refuses a token after an event with one of its tags', async () => {
    const { changes, isCached, becomes } = await createFixture();
    changes.write(RESET);
    await isCached();
    changes.introspect = json({ active: false });
    changes.write(event('invalidate', 'e.12', { tags: [tagOf('other'), tagOf('client')], at: '11' }));
    await becomes('401 inactive');
  });

  it('does not cache a response that an event has overtaken', async () => {
    const { changes, outcome, isCached, becomes } = await createFixture();
    changes.write(RESET);
    await isCached();
    changes.write(event('invalidate', 'e.12', { tags: [tagOf('token')], at: '11' }));
    await expect.poll(async () => [await outcome(), changes.introspections()][1]).toBeGreaterThan(3);
    // Still of position 10: it may have been computed before the change.
    const before = changes.introspections();
    await outcome();
    expect(changes.introspections()).toBe(before + 1);
    changes.introspect = json(active(), 200, stamped('e.12', 'token', 'client'));
    await isCached();
    await becomes('accepted');
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['without a position', {}],
    ['of another epoch', stamped('f.10', 'token')],
    ['from before the stream began', stamped('e.9', 'token')],
    ['with max-age=0', { ...stamped('e.10', 'token'), 'Token-Cache-Control': 'max-age=0' }],
  ])('does not cache a response %s', async (_what, headers) => {
    const { changes, outcome, isCached } = await createFixture();
    changes.write(RESET);
    await isCached();
    changes.introspect = json(active(), 200, headers);
    for (const token of ['a', 'a', 'a']) expect(await outcome(token)).toBe('accepted');
    expect(changes.server.requests.filter(({ form }) => form.get('token') === 'a').length).toBe(3);
  });

  it('introspects while the watermark is too old, and refuses with 503 after five seconds without either', async () => {
    const { changes, monotonic, outcome, isCached, problems } = await createFixture();
    changes.write(RESET);
    await isCached();
    const watermarkMs = monotonic.nowMs;
    monotonic.nowMs = watermarkMs + 1_000;
    const before = changes.introspections();
    expect([await outcome(), changes.introspections()]).toEqual(['accepted', before + 1]);
    changes.introspect = json({}, 500);
    monotonic.nowMs = watermarkMs + 4_999;
    expect([await outcome(), await outcome('unknown')]).toEqual(['accepted', '503 unavailable']);
    monotonic.nowMs = watermarkMs + 5_000;
    expect(await outcome()).toBe('503 unavailable');
    expect(problems.map(({ reason }) => reason)).toContain('status');
  });

  it('forgets a token that introspection calls inactive, whatever the stream says later', async () => {
    const { server, changes, monotonic, outcome, isCached } = await createFixture();
    changes.write(RESET);
    await isCached();
    monotonic.nowMs += 1_000;
    changes.introspect = json({ active: false });
    expect(await outcome()).toBe('401 inactive');
    changes.write(event('heartbeat', 'e.11'));
    await expect
      .poll(() => server.metrics.prometheus())
      .toContain('resource_server_changes_watermark_age_seconds 0\n');
    expect(await outcome()).toBe('401 inactive');
  });

  it('connects again with the last position, and goes on with what is cached', async () => {
    const { changes, isCached, becomes, outcome } = await createFixture();
    changes.write(RESET + event('heartbeat', 'e.15'));
    await isCached();
    const before = changes.introspections();
    changes.end();
    await changes.opened(2);
    expect(changes.streamRequests().at(-1)?.headers['last-event-id']).toBe('e.15');
    expect([await outcome(), changes.introspections()]).toEqual(['accepted', before]);
    changes.introspect = json({ active: false });
    changes.write(event('invalidate', 'e.17', { tags: [tagOf('token')], at: '16' }));
    await becomes('401 inactive');
  });

  it.each<[string, string]>([
    ['a reset', event('reset', 'e.20', { reason: 'keys_changed', at: '19' })],
    ['a position that goes backwards', event('heartbeat', 'e.9')],
    ['another epoch', event('heartbeat', 'f.20')],
    ['an event that cannot be read', event('invalidate', 'e.12', { tags: ['x'], at: '11' })],
    ['a position that cannot be read', event('heartbeat', 'x')],
    ['a line without end', `data: ${'x'.repeat(300_000)}`],
    ['an event without end', `data: ${'x'.repeat(100_000)}\n`.repeat(3)],
  ])('discards everything after %s', async (what, text) => {
    const { changes, isCached, becomes, problems } = await createFixture();
    changes.write(RESET);
    await isCached();
    changes.introspect = json({ active: false });
    changes.write(text);
    await becomes('401 inactive');
    if (what === 'a reset') return expect(problems).toEqual([]);
    await changes.opened(2);
    expect(changes.streamRequests().at(-1)?.headers['last-event-id']).toBeUndefined();
    expect(problems.map(({ reason }) => reason)).toEqual(['changes']);
  });

  it('ignores events and members that it does not know', async () => {
    const { changes, isCached } = await createFixture();
    changes.write(`retry: 500\n\n: comment\n\n${event('novelty', 'e.99', { a: 1 })}`);
    changes.write(event('reset', 'e.10', { reason: 'x', at: '9', more: [1] }));
    await isCached();
  });

  it('gives up a stream on which nothing arrives, and connects again', async () => {
    const { changes, monotonic, problems, isCached } = await createFixture();
    changes.write(RESET);
    await isCached();
    monotonic.nowMs += 2_001;
    await changes.opened(2);
    expect(problems.map(({ message }) => message)).toContain('the stream of changes has stalled');
  });

  it('gives up a stream that the server accepted so late that its watermark stays too old', async () => {
    const { changes, monotonic, server, isCached } = await createFixture();
    changes.write(RESET);
    await isCached();
    const accept = changes.openStream;
    changes.openStream = (request, response) => {
      monotonic.nowMs += 1_000;
      accept(request, response);
    };
    changes.end();
    await changes.opened(2);
    await expect.poll(() => server.metrics.prometheus()).toContain('resource_server_changes_connected 1\n');
    changes.openStream = accept;
    changes.write(event('open', 'e.10', { time: 0 }));
    for (const time of [500, 1_000, 1_500, 2_000]) {
      monotonic.nowMs += 500;
      changes.write(event('heartbeat', 'e.11', { time }));
      await expect
        .poll(() => server.metrics.prometheus())
        .toContain('resource_server_changes_watermark_age_seconds 1\n');
    }
    monotonic.nowMs += 1;
    await changes.opened(3);
    changes.write(event('open', 'e.11', { time: 0 }) + event('heartbeat', 'e.11', { time: 0 }));
    await isCached();
  });

  it('keeps a stream for as long as heartbeats arrive in time', async () => {
    const { changes, monotonic, server, problems } = await createFixture();
    changes.write(event('open', 'e.10', { time: 0 }) + RESET);
    for (const time of [500, 1_000, 1_500, 2_000, 2_500, 3_000]) {
      monotonic.nowMs += 500;
      changes.write(event('heartbeat', 'e.11', { time }));
      await expect
        .poll(() => server.metrics.prometheus())
        .toContain('resource_server_changes_watermark_age_seconds 0\n');
      // Longer than the interval at which the connection is checked.
      if (time > 2_000) await setTimeout(600);
    }
    expect(changes.streamRequests().length).toBe(1);
    expect(problems).toEqual([]);
  });

  it('connects again ever later while each stream ends before its first heartbeat, and reports that', async () => {
    const { changes, problems } = await createFixture();
    const accept = changes.openStream;
    changes.openStream = (request, response) => {
      accept(request, response);
      response.end(RESET);
    };
    changes.end();
    await expect.poll(() => problems.length, { timeout: 60_000 }).toBeGreaterThan(2);
    expect(new Set(problems.map(({ message }) => message))).toEqual(
      new Set(['the stream of changes ended before its first heartbeat']),
    );
  });

  it.each<[string, number, string]>([
    ['404', 404, 'text/event-stream'],
    ['another content type', 200, 'application/json'],
  ])('tries again and goes on introspecting after %s', async (_what, status, type) => {
    const { changes, outcome, problems } = await createFixture();
    changes.openStream = (_request, response) =>
      void response.writeHead(status, { 'Content-Type': type }).end();
    changes.end();
    await expect.poll(() => problems.length, { timeout: 60_000 }).toBeGreaterThan(2);
    expect(await outcome()).toBe('accepted');
    expect(new Set(problems.map(({ reason }) => reason))).toEqual(new Set(['changes']));
  });

  it('ends the stream when it is closed', async () => {
    const { changes, server } = await createFixture();
    server.close();
    await expect.poll(() => changes.server.openConnections()).toBe(0);
    expect(changes.streamRequests().length).toBe(1);
  });
});

describe('the request for the stream', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  it('authenticates as introspection does', async () => {
    const basic = await createFixture();
    expect(basic.changes.streamRequests()[0]?.headers).toMatchObject({
      accept: 'text/event-stream',
      authorization: `Basic ${Buffer.from(`rs1:${CREDENTIALS.clientSecret}`).toString('base64')}`,
    });
    const token = await createFixture({
      credentials: { method: 'access_token', clientId: 'rs1', accessToken: async () => 'own' },
    });
    expect(token.changes.streamRequests()[0]?.headers.authorization).toBe('Bearer own');
    const tls = await createFixture({ credentials: { method: 'tls_client_auth', clientId: 'rs1' } });
    expect(tls.changes.streamRequests()[0]?.path).toBe('/token/changes?client_id=rs1');
  });

  it.each([
    { method: 'client_secret_post', clientId: 'rs1', clientSecret: 's' } as const,
    { method: 'private_key_jwt', clientId: 'rs1', key: privateKey, algorithm: 'ES256' } as const,
  ])('has an access token of the API for $method, fetched anew after 401', async (credentials) => {
    const changes = await startChangeServer(json(active()));
    const { url } = changes.server;
    const tokens = ['first', 'second'];
    changes.server.respond = ((respond) => (request, response) => {
      if (request.path === '/token')
        json({ access_token: tokens.shift(), expires_in: 600 })(request, response);
      else if (request.path.startsWith('/.well-known/'))
        json({ issuer: url, token_endpoint: `${url}/token` })(request, response);
      else respond(request, response);
    })(changes.server.respond);
    const stays = changes.openStream;
    changes.openStream = (request, response) => {
      if (request.headers.authorization === 'Bearer first') json({}, 401)(request, response);
      else stays(request, response);
    };
    aResourceServer(url, { changes: {}, credentials });
    await changes.opened(1);
    expect(changes.streamRequests().map(({ headers }) => headers.authorization)).toEqual([
      'Bearer first',
      'Bearer second',
    ]);
    const [asked] = changes.server.requests.filter(({ path }) => path === '/token');
    expect(asked?.form.get('grant_type')).toBe('client_credentials');
    expect(asked?.form.get('scope')).toBe(`${url}/token/introspect`);
    expect(asked?.form.get('client_id')).toBe('rs1');
  });
});
