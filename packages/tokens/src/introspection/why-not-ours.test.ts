import { generateKeyPairSync } from 'node:crypto';
import { type SigningKey, signJwt } from '@vestibule/crypto/jwt';
import { nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { expect, it } from 'vitest';
import { aTokenFixture, ISSUER } from '../testing/token-fixture.js';
import { inspectToken } from './inspect-token.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { privateKey: wrongKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const THEIRS: SigningKey = { algorithm: 'ES256', kid: 'theirs', key: privateKey };

async function inspected(changes: {
  readonly claims?: JsonObject;
  readonly typ?: string;
  readonly key?: Partial<SigningKey>;
  readonly isAlone?: boolean;
}) {
  const world = await aTokenFixture();
  const verificationKeys = async ({ kid }: { readonly kid?: string | undefined }) =>
    kid === 'theirs' ? [{ algorithm: 'ES256' as const, key: publicKey }] : [];
  const iat = nowSeconds(world.clock);
  const required = { iss: ISSUER, sub: 'alice', client_id: 'client', jti: 'j1', iat, exp: iat + 600 };
  const token = await signJwt({
    key: { ...THEIRS, ...changes.key },
    typ: changes.typ ?? 'at+jwt',
    claims: Object.fromEntries(
      Object.entries({ ...required, ...changes.claims }).filter(([, value]) => value !== null),
    ),
  });
  const deps = changes.isAlone
    ? world
    : { ...world, authorizationServerKeys: { verificationKeys, isTheirs: () => false } };
  return inspectToken(deps, token);
}

it('names nothing for a token that is ours', async () => {
  expect(await inspected({})).toEqual({ state: expect.anything() });
  expect(await inspected({ typ: 'JWT', claims: { typ: 'Bearer' } })).toEqual({ state: expect.anything() });
});

it.each([
  [{ claims: { iss: 'https://other.example' } }, `iss is "https://other.example"; BASE_URL is ${ISSUER}`],
  [{ claims: { iss: null } }, `iss is missing; BASE_URL is ${ISSUER}`],
  [{ typ: 'JWT' }, 'typ of the header is "JWT"; an access token has at+jwt'],
  [
    { key: { kid: 'unknown' } },
    'the key with kid "unknown" and alg "ES256" is not in the key ring, nor in AUTHORIZATION_SERVER_JWKS',
  ],
  [
    { isAlone: true },
    'the key with kid "theirs" and alg "ES256" is not in the key ring, and AUTHORIZATION_SERVER_JWKS is not set',
  ],
  [
    { key: { key: wrongKey } },
    'the signature does not verify with the key with kid "theirs" and alg "ES256"',
  ],
  [{ claims: { client_id: null } }, 'client_id: is required'],
  [{ claims: { sub: null } }, 'sub: is required'],
  [
    { claims: { exp: '1' } },
    'a claim has the wrong type, iat lies ahead, or exp is more than a year after iat',
  ],
] as const)('names the requirement that a token does not meet: %#', async (changes, detail) => {
  expect(await inspected(changes)).toEqual({ reason: 'not_ours', detail });
});

it('says that a text is no signed JWT', async () => {
  expect(await inspectToken(await aTokenFixture(), 'e30.e30.AA')).toEqual({
    reason: 'not_ours',
    detail: 'it is not a signed JWT that can be decoded',
  });
});
