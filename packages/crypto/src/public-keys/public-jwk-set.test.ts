import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { JsonObject } from '@vestibule/protocol/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonKeys, type PublicJwkSet, parsePublicJwks } from './public-jwk-set.js';

const jwkOf = (key: KeyObject): JsonObject => ({ ...key.export({ format: 'jwk' }) }) as JsonObject;

const rsa = jwkOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey);
const ec = jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey);
const ed = jwkOf(generateKeyPairSync('ed25519').publicKey);

function accepted(...keys: unknown[]): PublicJwkSet {
  const result = parsePublicJwks({ keys });
  if (!result.ok) throw new Error(result.reason);
  return result.jwks;
}

function reasonFor(value: unknown): string {
  const result = parsePublicJwks(value);
  if (result.ok) throw new Error(`was accepted: ${JSON.stringify(value)}`);
  return result.reason;
}

describe('commonKeys', () => {
  it('returns the keys that are in both sets, by their material and only with the same kid', () => {
    const known = { ...ec, kid: 'a', use: 'sig' };
    const one = accepted(known, { ...rsa, kid: 'b' }, { ...ed, kid: 'c' }, { kty: 'new', kid: 'd' });
    const other = accepted({ ...ed, kid: 'other' }, { ...ec, kid: 'a' }, rsa, { kty: 'new', kid: 'd', y: 1 });
    const common = commonKeys(one, other);
    expect(common.keys).toEqual([known, { ...rsa, kid: 'b' }]);
    expect(common.usableKeys.map(({ kid }) => kid)).toEqual(['a', 'b']);
    expect(commonKeys(one, accepted()).usableKeys).toEqual([]);
    const another = jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey);
    expect(commonKeys(one, accepted({ ...another, kid: 'a' })).usableKeys).toEqual([]);
  });
});

describe('parsePublicJwks', () => {
  it('accepts RSA from 2,048 bits, the three NIST curves and Ed25519', () => {
    const keys = [
      rsa,
      jwkOf(generateKeyPairSync('rsa', { modulusLength: 3072 }).publicKey),
      ...['P-256', 'P-384', 'P-521'].map((namedCurve) =>
        jwkOf(generateKeyPairSync('ec', { namedCurve }).publicKey),
      ),
      ed,
    ];
    expect(accepted(...keys).usableKeys).toHaveLength(keys.length);
  });

  it('keeps keys unchanged, with unknown members, and accepts an empty set', () => {
    const key = {
      ...ec,
      kid: 'k1',
      use: 'sig',
      alg: 'ES256',
      key_ops: ['verify'],
      x5c: ['MII'],
      extra: { a: 1 },
    };
    expect(accepted(key).keys).toEqual([key]);
    expect(accepted()).toMatchObject({ keys: [], usableKeys: [] });
  });

  it('keeps keys of unsupported types and curves, and does not use them', () => {
    const unknown = [
      { kty: 'AKP', alg: 'ML-DSA-44', pub: 'AAAA' },
      { kty: 'EC', crv: 'secp256k1', x: 'AA', y: 'AA' },
      { kty: 'OKP', crv: 'X25519', x: ed['x'] },
      { kty: 'OKP', crv: 'Ed448', x: 'AA' },
      { kty: 'something' },
    ];
    const set = accepted(...unknown, ec);
    expect(set.keys).toHaveLength(6);
    expect(set.usableKeys.map(({ material }) => material.kty)).toEqual(['EC']);
  });

  // A client may publish a private key by mistake, which must not be stored, and a secret must not verify like a public
  // key.
  it('refuses the whole set for one private or symmetric key, of known or unknown type', () => {
    for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'])
      for (const key of [rsa, ec, ed, { kty: 'something' }])
        expect(reasonFor({ keys: [ec, { ...key, [member]: 'AA' }] })).toBe('a key is private or symmetric');
    expect(reasonFor({ keys: [{ kty: 'oct' }] })).toBe('a key is private or symmetric');
    const whole = jwkOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
    expect(reasonFor({ keys: [whole] })).toBe('a key is private or symmetric');
  });

  it('refuses RSA keys under 2,048 and over 8,192 bits, and numbers with a leading zero', () => {
    const modulus = (bytes: number, first: number) =>
      Buffer.alloc(bytes, 0xff).fill(first, 0, 1).toString('base64url');
    const small = jwkOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey);
    const bad = [
      small,
      { ...rsa, n: modulus(256, 0x7f) },
      { ...rsa, n: modulus(1025, 1) },
      { ...rsa, n: modulus(257, 0) },
    ];
    for (const key of bad) expect(reasonFor({ keys: [key] })).toBe('an RSA key must have 2048 to 8192 bits');
    expect(accepted({ ...rsa, n: modulus(1024, 0xff) }).usableKeys).toHaveLength(1);
  });

  it('refuses RSA exponents that are even, 1, or so large that they are only slow', () => {
    for (const e of [
      'Ag',
      'AQ',
      'AA',
      'AAEAAQ',
      Buffer.alloc(5, 0xff).toString('base64url'),
      Buffer.alloc(256, 0xff).toString('base64url'),
    ])
      expect(reasonFor({ keys: [{ ...rsa, e }] }), e).toBe('an RSA key has an unusual exponent');
    expect(accepted({ ...rsa, e: 'Aw' }).usableKeys).toHaveLength(1);
  });

  it('refuses points that are not on the curve, and coordinates of another length', () => {
    const off = Buffer.alloc(32, 1).toString('base64url');
    expect(reasonFor({ keys: [{ ...ec, x: off }] })).toBe('a key is invalid');
    expect(reasonFor({ keys: [{ ...ec, x: 'AQ' }] })).toBe('an EC key has a coordinate of the wrong length');
    expect(reasonFor({ keys: [{ ...ec, crv: 'P-384' }] })).toBe(
      'an EC key has a coordinate of the wrong length',
    );
    expect(reasonFor({ keys: [{ ...ed, x: 'AQ' }] })).toBe('an Ed25519 key has the wrong length');
  });

  it('refuses anything that is not a JWK set, and members of wrong types', () => {
    for (const value of [
      undefined,
      null,
      [],
      'x',
      1,
      {},
      { keys: null },
      { keys: {} },
      { keys: 'x' },
      { keys: [ec] }.keys,
    ])
      reasonFor(value);
    const keys = [
      null,
      'x',
      [],
      {},
      { kty: '' },
      { kty: 1 },
      { kty: 'RSA' },
      { kty: 'EC' },
      { kty: 'OKP', crv: 1 },
    ];
    const members = [
      { kid: 1 },
      { kid: null },
      { kid: 'k'.repeat(257) },
      { use: 1 },
      { alg: [] },
      { key_ops: 'verify' },
      { key_ops: [1] },
    ];
    const spellings = [{ x: `${ec['x']}=` }, { x: ` ${ec['x']}` }, { x: '' }, { x: 1 }, { y: undefined }];
    for (const key of [...keys, ...[...members, ...spellings].map((member) => ({ ...ec, ...member }))])
      reasonFor({ keys: [key] });
  });

  it('refuses a duplicate kid, also among unusable keys', () => {
    expect(
      reasonFor({
        keys: [
          { ...ec, kid: 'a' },
          { ...rsa, kid: 'a' },
        ],
      }),
    ).toBe('two keys have the same kid');
    expect(
      reasonFor({
        keys: [
          { ...ec, kid: 'a' },
          { kty: 'x', kid: 'a' },
        ],
      }),
    ).toBe('two keys have the same kid');
    expect(accepted(ec, rsa).usableKeys).toHaveLength(2);
  });

  it('refuses more than 20 keys', () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ kty: 'x' }));
    expect(accepted(...many(20)).keys).toHaveLength(20);
    expect(reasonFor({ keys: many(21) })).toBe('the key set has more than 20 keys');
  });

  it('returns a key set or a description in the permitted characters for any JSON value', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), fc.record({ keys: fc.array(fc.jsonValue(), { maxLength: 3 }) })),
        (value) => {
          const result = parsePublicJwks(value);
          if (!result.ok) expect(result.reason).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
        },
      ),
    );
  });
});
