import type { Digest } from '@vestibule/crypto/data-keys';
import { type ClientId, type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AccessToken } from '../access-token.js';
import {
  type IntrospectionDeps,
  type IntrospectionRequest,
  introspect,
} from '../introspection/introspect.js';
import { simulatedSharedServer } from '../testing/simulated-shared-level.js';
import { simulatedStream } from '../testing/simulated-stream.js';
import { aTokenFixture } from '../testing/token-fixture.js';
import { type CacheTag, cacheTag, digestTag, jtiTag } from './cache-tag.js';
import { cachedTokenStates } from './cached-token-states.js';
import type { InvalidatedStates } from './invalidation-stream.js';

const SEQUENCES = 10_000;

const CALLERS = ['rs1', 'rs2', 'client'].map((id) => id as ClientId);
const CLIENTS = ['client', 'other'].map((id) => id as ClientId);
const CUTOFFS = ['client', 'subject', 'session', 'issuer'] as const;

type World = Awaited<ReturnType<typeof aTokenFixture>>;

/** An issued token of either format, with its text. */
interface Issued {
  readonly text: string;
  readonly state: AccessToken;
}

/** Tokens that differ in everything that affects decisions. */
async function tokensOf(world: World): Promise<readonly Issued[]> {
  const issued: Issued[] = [];
  for (const audience of [[], ['rs1'], ['rs2', 'rs1']]) {
    for (const [lifetimeSeconds, subject] of [
      [60, 'alice'],
      [600, 'bob'],
    ] as const) {
      const grant = { audience, lifetimeSeconds, subject, sessionId: `session-${subject}` };
      const clientId = CLIENTS[issued.length % 2];
      const notBefore = epochSeconds(nowSeconds(world.clock) + 20);
      const deviation = { ...grant, ...(clientId && { clientId }), ...(subject === 'bob' && { notBefore }) };
      const text = await world.identifier(deviation);
      const [state] = [...world.accessTokens.tokens.values()].slice(-1);
      if (state === undefined) throw new TypeError('a token was issued');
      issued.push({ text, state });
      const jwt = await world.jwt(deviation);
      const [, payload = ''] = jwt.split('.');
      const { jti, iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString());
      issued.push({ text: jwt, state: { ...state, jti, issuedAt: iat, expiresAt: exp } });
    }
  }
  return issued;
}

/** Stores in memory that send invalidation events. */
function invalidatingStores(world: World, invalidate: (invalidation: InvalidatedStates) => void) {
  const tokens = new Map<CacheTag, AccessToken>();
  const revoked = new Set<CacheTag>();
  const cutoffs = new Map<CacheTag, EpochSeconds>();
  const clientExpiry = new Map<ClientId, EpochSeconds>();
  const tagOf = (text: string) => digestTag(world.digester.digest('access-token', text));
  const read = (tag: CacheTag) => {
    const token = tokens.get(tag);
    const clientExpiresAt = token && clientExpiry.get(token.clientId);
    return token && { ...token, ...(clientExpiresAt !== undefined && { clientExpiresAt }) };
  };
  const remove = (tag: CacheTag) => {
    if (tokens.delete(tag)) invalidate({ kind: 'tokens', digests: [tag] });
  };
  const found = (digests: readonly Digest[]) =>
    digests.flatMap((digest) => {
      const token = read(digestTag(digest));
      return token === undefined ? [] : [{ digest, token }];
    });
  const isCovered = (tag: CacheTag, issuedAt: EpochSeconds) => (cutoffs.get(tag) ?? -1) >= issuedAt;
  return {
    accessTokens: {
      find: async (digests: readonly Digest[]) => found(digests)[0]?.token,
      findMany: async (digests: readonly Digest[]) => found(digests),
      claim: async (digests: readonly Digest[], caller: readonly string[], now: EpochSeconds) => {
        const [stored] = found(digests);
        if (stored === undefined) return undefined;
        const { expiresAt, notBefore = 0, clientExpiresAt = expiresAt, audience } = stored.token;
        const isUsable = now >= notBefore && now < Math.min(expiresAt, clientExpiresAt);
        if (!isUsable || (audience.length > 0 && !caller.some((name) => audience.includes(name))))
          return undefined;
        remove(digestTag(stored.digest));
        return stored.token;
      },
    },
    revocations: {
      statuses: async (
        requested: readonly Parameters<IntrospectionDeps['revocations']['statuses']>[0][number][],
      ) =>
        requested.map(({ issuer, jti, clientId, subject, sessionId, earliestIssuedAt }) => {
          const clientExpiresAt = clientExpiry.get(clientId);
          const isRevoked =
            revoked.has(jtiTag(issuer, jti)) ||
            isCovered(cacheTag('issuer', issuer), earliestIssuedAt) ||
            isCovered(cacheTag('client', clientId), earliestIssuedAt) ||
            isCovered(cacheTag('subject', subject ?? ''), earliestIssuedAt) ||
            isCovered(cacheTag('session', sessionId ?? ''), earliestIssuedAt);
          return { isRevoked, ...(clientExpiresAt !== undefined && { clientExpiresAt }) };
        }),
    },
    insert: ({ text, state }: Issued) => {
      if (state.jti === undefined) tokens.set(tagOf(text), state);
    },
    revoke: ({ text, state: { jti, issuer } }: Issued) => {
      if (jti === undefined) return remove(tagOf(text));
      revoked.add(jtiTag(issuer, jti));
      invalidate({ kind: 'entities', tags: [jtiTag(issuer, jti)] });
    },
    cutOff: (kind: (typeof CUTOFFS)[number], { state }: Issued, second: EpochSeconds) => {
      const values = {
        client: state.clientId,
        subject: state.subject ?? '',
        session: state.sessionId ?? '',
        issuer: state.issuer,
      };
      const isMeant = (token: AccessToken) =>
        ({ client: token.clientId, subject: token.subject, session: token.sessionId, issuer: undefined })[
          kind
        ] === values[kind];
      for (const [name, token] of tokens) if (isMeant(token)) remove(name);
      cutoffs.set(cacheTag(kind, values[kind]), second);
      invalidate({ kind: 'entities', tags: [cacheTag(kind, values[kind])] });
    },
    expireClient: ({ state: { clientId } }: Issued, at: EpochSeconds) => {
      clientExpiry.set(clientId, at);
      invalidate({ kind: 'entities', tags: [cacheTag('client', clientId)] });
    },
  };
}

/** Two equal services on stores with equal changes: one reads the store each time, the other caches. */
function twins(world: World) {
  const clock = frozenClock(world.clock.nowMs());
  let monotonicMs = 0;
  const stream = simulatedStream(() => monotonicMs);
  const plain = invalidatingStores(world, () => undefined);
  const invalidating = invalidatingStores(world, (invalidation) => {
    stream.commit(invalidation);
    stream.deliver(stream.waiting);
  });
  const server = simulatedSharedServer(clock.nowMs);
  const connection = server.connect();
  const promptly = <Reply>(reply: Promise<Reply>) => {
    connection.step(connection.waiting, 'done');
    return reply;
  };
  const states = cachedTokenStates({
    ...world,
    ...invalidating,
    clock: { ...clock, errorMs: () => 0 },
    refreshDigestKeys: async () => 0,
    stream,
    monotonic: () => monotonicMs,
    scheduler: { soon: (run) => queueMicrotask(run), after: () => () => undefined },
    shared: {
      get: (digest) => promptly(connection.get(digest)),
      fill: (digest, token, readAtMs) => promptly(connection.fill(digest, token, readAtMs)),
      invalidate: (digests) => promptly(connection.invalidate(digests)),
    },
    sharedTtlMs: 5_000,
    limits: { entries: 5, bytes: 1e6 },
    maxQueries: 10,
  });
  const beat = () => {
    stream.beat();
    stream.deliver(stream.waiting);
  };
  beat();
  return {
    clock,
    stores: [plain, invalidating],
    services: [
      { ...world, ...plain, clock },
      { ...world, ...invalidating, clock, states },
    ] as const,
    pass: (seconds: number) => {
      clock.advanceSeconds(seconds);
      monotonicMs += seconds * 1000;
      beat();
    },
    counters: states.counters,
  };
}

/** The response that is sent: for a cached token the text that was serialized before. */
async function written(deps: IntrospectionDeps, request: IntrospectionRequest): Promise<string> {
  return (await introspect(deps, request)).text;
}

interface Step {
  readonly what: number;
  readonly which: number;
  readonly caller: number;
}

it(`responds with a cache exactly as without one, byte for byte, in ${SEQUENCES} random sequences`, async () => {
  const world = await aTokenFixture();
  const issued = await tokensOf(world);
  const sequence = fc.array(
    fc.record({ what: fc.nat(19), which: fc.nat(issued.length - 1), caller: fc.nat(2) }),
    { minLength: 6, maxLength: 14, size: 'max' },
  );
  let hits = 0;
  let active = 0;

  const take = async (twin: ReturnType<typeof twins>, { what, which, caller }: Step) => {
    const token = issued[which];
    const clientId = CALLERS[caller];
    if (token === undefined || clientId === undefined) throw new TypeError('there is a token and a caller');
    const now = nowSeconds(twin.clock);
    if (what === 0) return twin.pass([1, 19, 60][caller] ?? 1);
    if (what === 1) return twin.stores.forEach((store) => void store.revoke(token));
    if (what === 2) {
      const kind = CUTOFFS[which % 4] ?? 'client';
      return twin.stores.forEach((store) => void store.cutOff(kind, token, epochSeconds(now - caller)));
    }
    if (what === 3)
      return twin.stores.forEach((store) => void store.expireClient(token, epochSeconds(now + caller)));
    const request = { token: token.text, caller: { clientId }, revoke: what === 4 };
    const [plain, cached] = twin.services;
    const [expected, text] = await Promise.all([introspect(plain, request), written(cached, request)]);
    expect(text).toBe(JSON.stringify(expected.response));
    if (expected.response.active) active += 1;
  };

  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      const twin = twins(world);
      for (const token of issued) for (const store of twin.stores) store.insert(token);
      for (const step of steps) await take(twin, step);
      hits += twin.counters.memoryHits + twin.counters.sharedHits;
    }),
    { numRuns: SEQUENCES },
  );
  // The comparison is meaningless without cached and live tokens.
  expect(hits).toBeGreaterThan(SEQUENCES);
  expect(active).toBeGreaterThan(SEQUENCES);
});
