import { generateKeyPairSync } from 'node:crypto';
import { epochSeconds } from '@vestibule/protocol';
import fc from 'fast-check';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { JoseFailure } from '../jwt/jose-failure.js';
import { jwkThumbprint } from '../public-keys/jwk-thumbprint.js';
import { sha256 } from '../sha256.js';
import { type PresentedDpopProof, verifyDpopProof } from './verify-dpop-proof.js';

const NOW = epochSeconds(1_780_315_200);
const ACCESS_TOKEN = 'u7KcX1bWf0Qm4vT8yLx2q4uPexR2mC5sYw7aHd1fGj';
const ADDRESS = 'https://api.example/orders/7';

let key: { readonly privateKey: CryptoKey; readonly jwk: Record<string, unknown> };
let thumbprint = '';

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const { kty, crv, x, y } = await exportJWK(publicKey);
  key = { privateKey, jwk: { kty, crv, x, y } };
  thumbprint = jwkThumbprint(key.jwk);
});

const CLAIMS = {
  jti: 'proof-1',
  htm: 'GET',
  htu: ADDRESS,
  iat: NOW,
  ath: Buffer.from(sha256(ACCESS_TOKEN)).toString('base64url'),
};

interface Deviation {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
}

function proofOf({ header, claims }: Deviation = {}): Promise<string> {
  const all = Object.entries({ ...CLAIMS, ...claims }).filter(([, value]) => value !== undefined);
  return new SignJWT(Object.fromEntries(all))
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: key.jwk, ...header } as { alg: string })
    .sign(key.privateKey);
}

function presented(proof: string, deviation: Partial<PresentedDpopProof> = {}): PresentedDpopProof {
  const request = { method: 'GET', address: ADDRESS, accessToken: ACCESS_TOKEN, thumbprint, now: NOW };
  return { proof, ...request, ...deviation };
}

const failure = async (proof: string, deviation: Partial<PresentedDpopProof> = {}) =>
  verifyDpopProof(presented(proof, deviation)).then(
    () => 'accepted',
    (error: unknown) => (error instanceof JoseFailure ? error.reason : error),
  );

describe('verifyDpopProof (RFC 9449 section 4.3)', () => {
  it('accepts a proof for this request, and tells until when its use must be kept', async () => {
    const verified = await verifyDpopProof(presented(await proofOf({ claims: { nonce: 'n1' } })));
    expect({ ...verified, useDigest: verified.useDigest.byteLength }).toEqual({
      useDigest: 32,
      refusedFrom: NOW + 70,
      nonce: 'n1',
    });
  });

  it.each<[string, Deviation]>([
    ['another typ', { header: { typ: 'JWT' } }],
    ['no typ', { header: { typ: undefined } }],
    ['no key', { header: { jwk: undefined } }],
    ['a key set in place of a key', { header: { jwk: { keys: [] } } }],
    ['a critical header', { header: { crit: ['exp'], exp: 1 } }],
    ['another method', { claims: { htm: 'POST' } }],
    ['the method in another case', { claims: { htm: 'get' } }],
    ['another path', { claims: { htu: 'https://api.example/orders/8' } }],
    ['another host', { claims: { htu: 'https://other.example/orders/7' } }],
    ['another scheme', { claims: { htu: 'http://api.example/orders/7' } }],
    ['another port', { claims: { htu: 'https://api.example:8443/orders/7' } }],
    ['a user name', { claims: { htu: 'https://a@api.example/orders/7' } }],
    ['a relative address', { claims: { htu: '/orders/7' } }],
    ['an address that is a list', { claims: { htu: [ADDRESS] } }],
    ['no address', { claims: { htu: undefined } }],
    ['the hash of another token', { claims: { ath: Buffer.from(sha256('x')).toString('base64url') } }],
    ['no hash', { claims: { ath: undefined } }],
    ['a time 61 seconds ago', { claims: { iat: NOW - 61 } }],
    ['a time 11 seconds from now', { claims: { iat: NOW + 11 } }],
    ['a time that is a text', { claims: { iat: String(NOW) } }],
    ['no time', { claims: { iat: undefined } }],
    ['no identifier', { claims: { jti: undefined } }],
    ['an empty identifier', { claims: { jti: '' } }],
    ['an identifier of 257 characters', { claims: { jti: 'j'.repeat(257) } }],
    ['a nonce that is a number', { claims: { nonce: 1 } }],
  ])('refuses %s', async (_what, deviation) => {
    const proof = deviation.header?.['crit']
      ? withHeader(await proofOf(), deviation.header)
      : await proofOf(deviation);
    expect(await failure(proof)).toMatch(/^(type|key|malformed|claims|signature)$/);
  });

  it.each([
    ['query and fragment', { htu: `${ADDRESS}?a=1#b` }],
    ['the default port', { htu: 'https://api.example:443/orders/7' }],
    ['the host in upper case', { htu: 'HTTPS://API.EXAMPLE/orders/7' }],
    ['60 seconds of age', { iat: NOW - 60 }],
    ['10 seconds in the future', { iat: NOW + 10 }],
  ])('accepts %s', async (_what, claims) => {
    expect(await failure(await proofOf({ claims }))).toBe('accepted');
  });

  it('refuses the key of someone else, and a private key', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const proof = await proofOf();
    expect(
      await failure(proof, { thumbprint: jwkThumbprint(other.publicKey.export({ format: 'jwk' })) }),
    ).toBe('key');
    const header = { jwk: { ...key.jwk, d: 'A'.repeat(43) } };
    expect(await failure(await proofOf({ header }))).toBe('key');
  });

  it('refuses another signature, and an algorithm that is not accepted', async () => {
    const proof = await proofOf();
    const [head, claims] = proof.split('.');
    expect(await failure(`${head}.${claims}.${'A'.repeat(86)}`)).toBe('signature');
    expect(await failure(`${head}.${claims}.`)).toMatch(/signature|malformed/);
    expect(await failure(proof, { algorithms: ['ES384'] })).toBe('algorithm');
    expect(await failure(withHeader(proof, { alg: 'none' }))).toBe('algorithm');
    expect(await failure(withHeader(proof, { alg: 'HS256' }))).toBe('algorithm');
  });

  it('tells proofs of one key apart by jti alone, and throws nothing else for any text', async () => {
    const digest = async (claims: Record<string, unknown>) =>
      Buffer.from((await verifyDpopProof(presented(await proofOf({ claims })))).useDigest).toString('hex');
    expect(await digest({ iat: NOW - 1 })).toBe(await digest({}));
    expect(await digest({ jti: 'proof-2' })).not.toBe(await digest({}));
    const proof = await proofOf();
    await fc.assert(
      fc.asyncProperty(
        fc.nat(proof.length),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
        async (at, odd) => {
          const changed = proof.slice(0, at) + odd + proof.slice(at + odd.length);
          fc.pre(changed !== proof);
          expect(await failure(changed)).toMatch(/^[a-z_]+$/);
          expect(await failure(changed)).not.toBe('accepted');
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Replaces members of the header, without signing again. */
function withHeader(proof: string, members: Readonly<Record<string, unknown>>): string {
  const [head = '', ...rest] = proof.split('.');
  const header = { ...JSON.parse(Buffer.from(head, 'base64url').toString()), ...members };
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.');
}
