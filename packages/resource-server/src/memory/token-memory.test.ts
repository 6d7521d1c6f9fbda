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
import { tokenKey, tokenMemory } from './token-memory.js';

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
  const memory = { lifetimeSeconds: 5 };

  it('an active token is introspected once within it, counted from the request', async () => {
    const authorizationServer = await startProgrammedServer(json(active()));
    const { server, monotonic } = aResourceServer(authorizationServer.url, { memory });
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
    const { server } = aResourceServer(authorizationServer.url, { memory });
    expect(summary(await server.verify(bearer()))).toBe('401 inactive');
    authorizationServer.respond = json(active());
    expect(summary(await server.verify(bearer()))).toBe('accepted');
  });

  it('a failure is not remembered, and a remembered token is not used after its lifetime because of one', async () => {
    const authorizationServer = await startProgrammedServer(json({}, 403));
    const { server, monotonic } = aResourceServer(authorizationServer.url, { memory });
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
    const { server, clock } = aResourceServer(authorizationServer.url, { memory });
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
    const { server, monotonic } = aResourceServer(authorizationServer.url, { memory });
    for (const elapsedMs of [0, 1_999, 1]) {
      monotonic.nowMs += elapsedMs;
      await server.verify(bearer());
    }
    expect(authorizationServer.requests.length).toBe(2);
  });

  it.each([
    [{ maxEntries: 2 }, 'entries'],
    [{ maxBytes: 1_300 }, 'bytes'],
  ])('the memory is bounded by %j, and spares what is used', async (limits, _what) => {
    const authorizationServer = await startProgrammedServer(json(active()));
    const { server } = aResourceServer(authorizationServer.url, { memory: { ...memory, ...limits } });
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

  function followingMemory(monotonic: () => number) {
    const tracker = changeTracker(monotonic);
    tracker.connected();
    tracker.apply({ kind: 'reset', at: 9n, ...PROGRESS });
    const freshness = { ...tracker, changes: undefined, close: () => undefined };
    return { tracker, memory: tokenMemory({ maxEntries: 10, maxBytes: 1_000_000 }, freshness) };
  }

  it.each([4, 8, 12])('tokens are not confused whose digests differ at byte %i alone', (at) => {
    const { memory } = followingMemory(() => 1_000);
    const digest = tokenKey('abc');
    const other = `${digest.slice(0, at)}x${digest.slice(at + 1)}`;
    memory.keep(digest, responding(TOKEN_STATE), 1_000);
    memory.keep(other, responding('inactive'), 1_000);
    expect([memory.current(other, 1_000), memory.fallback(other, 1_000)]).toEqual([undefined, undefined]);
    expect([memory.hasEnded(other, 1_000), memory.current(digest, 1_000)?.token]).toEqual([
      false,
      TOKEN_STATE,
    ]);
    memory.keep(other, responding(TOKEN_STATE), 1_000);
    expect([memory.current(digest, 1_000), memory.current(other, 1_000)?.token]).toEqual([
      undefined,
      TOKEN_STATE,
    ]);
  });

  it('a token that has ended stays so for a second, although another instance does not know yet', () => {
    let nowMs = 1_000;
    const { tracker, memory } = followingMemory(() => nowMs);
    memory.keep('never known', responding('inactive'), nowMs);
    memory.keep('known', responding(TOKEN_STATE), nowMs);
    expect(memory.current('known', nowMs)).toBeDefined();
    memory.keep('known', responding('inactive'), nowMs);
    expect([memory.hasEnded('known', nowMs), memory.hasEnded('never known', nowMs)]).toEqual([true, false]);
    nowMs += 999;
    memory.keep('known', responding(TOKEN_STATE), nowMs);
    expect([memory.hasEnded('known', nowMs), memory.current('known', nowMs)]).toEqual([true, undefined]);
    nowMs += 1;
    tracker.apply({ kind: 'heartbeat', ...PROGRESS });
    memory.keep('known', responding(TOKEN_STATE), nowMs);
    expect(memory.hasEnded('known', nowMs)).toBe(false);
    expect(memory.current('known', nowMs)).toBeDefined();
  });
});
