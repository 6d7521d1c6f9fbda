import { describe, expect, it } from 'vitest';
import { changeTracker } from '../changes/change-tracker.js';
import type { Introspected } from '../introspection/introspection-client.js';
import { json, startProgrammedServer } from '../testing/authorization-server.js';
import {
  active,
  aRequest,
  aResourceServer,
  bearer,
  summary,
  TOKEN,
} from '../testing/resource-server-fixture.js';
import type { AccessToken } from '../verification/access-token.js';
import { tokenCache, tokenKey } from './token-cache.js';

const NOW = Date.UTC(2026, 5, 1, 12) / 1000;

describe('without a lifetime', () => {
  it('each request is introspected', async () => {
    const authorizationServer = await startProgrammedServer(json(active()));
    const { server } = aResourceServer(authorizationServer.url);
    for (let index = 0; index < 3; index += 1)
      expect(summary(await server.verify(bearer()))).toBe('accepted');
    expect(authorizationServer.requests.length).toBe(3);
  });
});

describe('with a lifetime', () => {
  const cache = { lifetimeSeconds: 5 };

  it('an active token is introspected once within it, counted from the request', async () => {
    const authorizationServer = await startProgrammedServer(json(active()));
    const { server, monotonic } = aResourceServer(authorizationServer.url, { cache });
    await server.verify(bearer());
    authorizationServer.respond = json({ active: false });
    monotonic.nowMs += 4_999;
    expect(summary(await server.verify(bearer()))).toBe('accepted');
    monotonic.nowMs += 1;
    expect(summary(await server.verify(bearer()))).toBe('401 inactive');
    expect(authorizationServer.requests.length).toBe(2);
  });

  it('a token that is not active is introspected each time, since it may become active', async () => {
    const authorizationServer = await startProgrammedServer(json({ active: false }));
    const { server } = aResourceServer(authorizationServer.url, { cache });
    expect(summary(await server.verify(bearer()))).toBe('401 inactive');
    authorizationServer.respond = json(active());
    expect(summary(await server.verify(bearer()))).toBe('accepted');
  });

  it('a failure is not cached, and a cached token is not used after its lifetime because of one', async () => {
    const authorizationServer = await startProgrammedServer(json({}, 403));
    const { server, monotonic } = aResourceServer(authorizationServer.url, { cache });
    expect(summary(await server.verify(bearer()))).toBe('503 unavailable');
    authorizationServer.respond = json(active());
    expect(summary(await server.verify(bearer()))).toBe('accepted');
    await authorizationServer.stop();
    expect(summary(await server.verify(bearer()))).toBe('accepted');
    monotonic.nowMs += 5_000;
    expect(summary(await server.verify(bearer()))).toBe('503 unavailable');
  });

  it('every rule runs on every request', async () => {
    const authorizationServer = await startProgrammedServer(json(active({ exp: NOW + 2, nbf: NOW - 10 })));
    const { server, clock } = aResourceServer(authorizationServer.url, { cache });
    const outcome = async (request = bearer(), scope = 'orders:read') =>
      summary(await server.verify(request, { scope }));
    expect(await outcome()).toBe('accepted');
    expect(await outcome(bearer(), 'orders:write')).toBe('403 scope');
    expect(await outcome(aRequest({ authorization: `DPoP ${TOKEN}`, dpop: 'a.b.c' }))).toBe('401 binding');
    clock.advanceSeconds(1);
    expect(await outcome()).toBe('accepted');
    clock.advanceSeconds(1);
    expect(await outcome()).toBe('401 expired');
    clock.advanceSeconds(-20);
    expect(await outcome()).toBe('401 not_yet_valid');
    expect(authorizationServer.requests.length).toBe(1);
  });

  it('the server may shorten it with Token-Cache-Control', async () => {
    const headers = { 'Token-Cache-Control': 'max-age=2' };
    const authorizationServer = await startProgrammedServer(json(active(), 200, headers));
    const { server, monotonic } = aResourceServer(authorizationServer.url, { cache });
    for (const elapsedMs of [0, 1_999, 1]) {
      monotonic.nowMs += elapsedMs;
      await server.verify(bearer());
    }
    expect(authorizationServer.requests.length).toBe(2);
  });

  it.each([
    [{ maxEntries: 2 }, 'entries'],
    [{ maxBytes: 1_300 }, 'bytes'],
  ])('the cache is bounded by %j, and spares what is used', async (limits, _what) => {
    const authorizationServer = await startProgrammedServer(json(active()));
    const { server } = aResourceServer(authorizationServer.url, { cache: { ...cache, ...limits } });
    const asked = () => authorizationServer.requests.map(({ form }) => form.get('token'));
    for (const token of ['a', 'b', 'a', 'c', 'a', 'b']) await server.verify(bearer(token));
    expect(asked()).toEqual(['a', 'b', 'c', 'b']);
  });
});

it('the key of a token is a digest', () => {
  expect(Buffer.from(tokenKey('abc'), 'latin1').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

describe('with the stream of changes', () => {
  const STAMP = { position: { epoch: 'e', number: 20n }, tags: [1] };
  const TOKEN_STATE = { subject: 'alice' } as unknown as AccessToken;
  const responding = (token: AccessToken | 'inactive'): Introspected => ({
    token,
    stamp: STAMP,
    sentAtMs: 0,
    maxAgeSeconds: undefined,
    length: 10,
  });

  const PROGRESS = { position: { epoch: 'e', number: 10n }, timeMs: undefined };

  function followingCache(monotonic: () => number) {
    const tracker = changeTracker(monotonic);
    tracker.connected();
    tracker.apply({ kind: 'reset', at: 9n, ...PROGRESS });
    const freshness = { ...tracker, changes: undefined, close: () => undefined };
    return { tracker, cache: tokenCache({ maxEntries: 10, maxBytes: 1_000_000 }, freshness) };
  }

  it.each([4, 8, 12])('tokens are not confused whose digests differ at byte %i alone', (at) => {
    const { cache } = followingCache(() => 1_000);
    const digest = tokenKey('abc');
    const other = `${digest.slice(0, at)}x${digest.slice(at + 1)}`;
    cache.keep(digest, responding(TOKEN_STATE), 1_000);
    cache.keep(other, responding('inactive'), 1_000);
    expect([cache.current(other, 1_000), cache.fallback(other, 1_000)]).toEqual([undefined, undefined]);
    expect([cache.hasEnded(other, 1_000), cache.current(digest, 1_000)?.token]).toEqual([false, TOKEN_STATE]);
    cache.keep(other, responding(TOKEN_STATE), 1_000);
    expect([cache.current(digest, 1_000), cache.current(other, 1_000)?.token]).toEqual([
      undefined,
      TOKEN_STATE,
    ]);
  });

  it('a token that has ended stays so for a second, although another instance does not know yet', () => {
    let nowMs = 1_000;
    const { tracker, cache } = followingCache(() => nowMs);
    cache.keep('never known', responding('inactive'), nowMs);
    cache.keep('known', responding(TOKEN_STATE), nowMs);
    expect(cache.current('known', nowMs)).toBeDefined();
    cache.keep('known', responding('inactive'), nowMs);
    expect([cache.hasEnded('known', nowMs), cache.hasEnded('never known', nowMs)]).toEqual([true, false]);
    nowMs += 999;
    cache.keep('known', responding(TOKEN_STATE), nowMs);
    expect([cache.hasEnded('known', nowMs), cache.current('known', nowMs)]).toEqual([true, undefined]);
    nowMs += 1;
    tracker.apply({ kind: 'heartbeat', ...PROGRESS });
    cache.keep('known', responding(TOKEN_STATE), nowMs);
    expect(cache.hasEnded('known', nowMs)).toBe(false);
    expect(cache.current('known', nowMs)).toBeDefined();
  });
});
