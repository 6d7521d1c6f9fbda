import { aDpopClient } from '@vestibule/crypto/testing';
import { frozenClock } from '@vestibule/protocol/testing';
import { describe, expect, it } from 'vitest';
import { rotatingDpopNonces } from '../dpop/dpop-nonces.js';
import { memoryProofReplays } from '../dpop/proof-replays.js';
import type { DpopOptions, ProtectedResource } from '../options.js';
import { json, startProgrammedServer } from '../testing/authorization-server.js';
import {
  active,
  aRequest,
  aResourceServer,
  bearer,
  RESOURCE,
  summary,
  TOKEN,
} from '../testing/resource-server-fixture.js';

const HTU = 'https://api.example/orders/7';
const NOW = Date.UTC(2026, 5, 1, 12) / 1000;

async function createFixture(dpop: DpopOptions = {}, resource: Partial<ProtectedResource> = {}) {
  const client = aDpopClient();
  const authorizationServer = await startProgrammedServer(json(active({ cnf: { jkt: client.thumbprint } })));
  const fixture = aResourceServer(authorizationServer.url, {
    dpop,
    resource: { identifier: RESOURCE, ...resource },
  });
  const present = (proof: string | readonly string[]) =>
    fixture.server.verify(aRequest({ authorization: `DPoP ${TOKEN}`, dpop: proof }));
  const proof = (claims = {}) => client.proof(TOKEN, { htu: HTU, iat: NOW, ...claims });
  return { ...fixture, present, proof, client, authorizationServer };
}

describe('a token that is bound to a DPoP key (RFC 9449)', () => {
  it('is accepted with a proof, once', async () => {
    const { present, proof } = await createFixture();
    const first = await proof();
    expect(summary(await present(first))).toBe('accepted');
    expect(summary(await present(first))).toBe('401 replayed_proof');
    expect(summary(await present(await proof()))).toBe('accepted');
  });

  it('is accepted once of many parallel requests with one proof', async () => {
    const { present, proof } = await createFixture();
    const one = await proof();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => present(one)));
    expect(outcomes.map(summary).filter((outcome) => outcome === 'accepted').length).toBe(1);
  });

  it('is refused as a bearer token, with the challenge to use DPoP (section 7.2)', async () => {
    const { server } = await createFixture();
    const refused = await server.verify(bearer());
    expect(refused).toMatchObject({ status: 401, reason: 'binding' });
    expect(refused).toHaveProperty(
      'headers.WWW-Authenticate',
      expect.stringMatching(/^Bearer error="invalid_token".*, DPoP algs="ES256 /),
    );
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['another method', { htm: 'POST' }],
    ['another address', { htu: 'https://api.example/orders/8' }],
    ['another token', { ath: 'A'.repeat(43) }],
    ['another time', { iat: NOW - 61 }],
  ])('is refused with a proof for %s, and the proof may be corrected', async (_what, claims) => {
    const { present, proof } = await createFixture();
    const refused = await present(await proof({ ...claims, jti: 'one' }));
    expect(refused).toMatchObject({ status: 401, reason: 'proof' });
    expect(refused).toHaveProperty(
      'headers.WWW-Authenticate',
      expect.stringContaining('DPoP error="invalid_dpop_proof"'),
    );
    expect(summary(await present(await proof({ jti: 'one' })))).toBe('accepted');
  });

  it('is refused with two proofs, and with the proof of another key', async () => {
    const { present, proof } = await createFixture();
    expect(summary(await present([await proof(), await proof()]))).toBe('401 proof');
    const thief = aDpopClient();
    expect(summary(await present(thief.proof(TOKEN, { htu: HTU, iat: NOW })))).toBe('401 proof');
  });

  it('is proven for the address under which clients know the API', async () => {
    const { present, proof } = await createFixture({}, { baseUrl: 'https://gateway.example/v1/' });
    expect(summary(await present(await proof()))).toBe('401 proof');
    const htu = 'https://gateway.example/v1/orders/7';
    expect(summary(await present(await proof({ htu })))).toBe('accepted');
  });

  it('is checked after the state of the token', async () => {
    const { present, proof, authorizationServer } = await createFixture();
    authorizationServer.respond = json({ active: false });
    const one = await proof();
    expect(summary(await present(one))).toBe('401 inactive');
    authorizationServer.respond = json(active());
    expect(summary(await present(one))).toBe('401 binding');
  });
});

describe('nonces of the API (RFC 9449 section 9)', () => {
  it('are demanded, handed out, and accepted for two periods', async () => {
    const clock = frozenClock();
    const nonces = rotatingDpopNonces({ key: Buffer.alloc(32, 7), periodSeconds: 60, clock });
    const { present, proof } = await createFixture({ nonces });
    const refused = await present(await proof());
    expect(refused).toMatchObject({
      status: 401,
      reason: 'nonce',
      headers: { 'DPoP-Nonce': nonces.current() },
    });
    expect(refused).toHaveProperty(
      'headers.WWW-Authenticate',
      expect.stringContaining('DPoP error="use_dpop_nonce"'),
    );
    const nonce = nonces.current();
    expect(summary(await present(await proof({ nonce })))).toBe('accepted');
    clock.advanceSeconds(60);
    expect(summary(await present(await proof({ nonce })))).toBe('accepted');
    clock.advanceSeconds(60);
    expect(summary(await present(await proof({ nonce })))).toBe('401 nonce');
    expect(summary(await present(await proof({ nonce: 'x' })))).toBe('401 nonce');
  });

  it('need a key that cannot be guessed', () => {
    const clock = frozenClock();
    expect(() => rotatingDpopNonces({ key: Buffer.alloc(31), clock })).toThrow(TypeError);
  });
});

describe('an API that requires DPoP', () => {
  it('refuses bearer tokens, and has no challenge for them', async () => {
    const authorizationServer = await startProgrammedServer(json(active()));
    const { server } = aResourceServer(authorizationServer.url, { dpop: { isRequired: true } });
    const refused = await server.verify(bearer());
    expect(summary(refused)).toBe('401 binding');
    expect(refused).toHaveProperty(
      'headers.WWW-Authenticate',
      expect.stringMatching(/^DPoP error="invalid_token"/),
    );
    expect(JSON.stringify(await server.verify(aRequest({})))).not.toContain('Bearer');
    expect(server.metadata().document).toMatchObject({ dpop_bound_access_tokens_required: true });
  });
});

describe('used proofs in memory', () => {
  const digest = (index: number) => new Uint8Array(32).fill(index);

  it('are kept for as long as a proof is accepted', async () => {
    const clock = frozenClock();
    const replays = memoryProofReplays({ clock, maxEntries: 10 });
    const keepUntil = NOW as never;
    for (const seconds of [0, 1, 79]) {
      clock.advanceSeconds(seconds);
      expect(await replays.recordUse(digest(seconds), keepUntil)).toBe('fresh');
    }
    clock.advanceSeconds(79);
    expect(await replays.recordUse(digest(79), keepUntil)).toBe('replayed');
    clock.advanceSeconds(-1_000);
    expect(await replays.recordUse(digest(79), keepUntil)).toBe('replayed');
    clock.advanceSeconds(200);
    expect(await replays.recordUse(digest(79), keepUntil)).toBe('fresh');
  });

  it('are never dropped for new ones: a full memory refuses with 503, and says so', async () => {
    const clock = frozenClock();
    const { present, proof, problems } = await createFixture({
      replays: memoryProofReplays({ clock, maxEntries: 1 }),
    });
    const one = await proof();
    expect(summary(await present(one))).toBe('accepted');
    expect(summary(await present(await proof()))).toBe('503 unavailable');
    expect(summary(await present(one))).toBe('401 replayed_proof');
    expect(problems.map(({ reason }) => reason)).toEqual(['proof_store']);
  });

  it('are unknown while the store of the application fails: 503', async () => {
    const replays = { recordUse: () => Promise.reject(new Error('the store of the application')) };
    const { present, proof } = await createFixture({ replays });
    expect(summary(await present(await proof()))).toBe('503 unavailable');
  });
});
