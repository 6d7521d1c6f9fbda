import {
  constants,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
  sign,
} from 'node:crypto';
import { ASYMMETRIC_ALGORITHMS, type AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import { CompactSign, compactVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { signJwt } from '../jwt/sign-jwt.js';
import { isSignedWithKeyPair, keyPairAlgorithm, signWithKeyPair } from './key-pair-signature.js';

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PAIRS = {
  RSA,
  'P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'P-384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'P-521': generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  secp256k1: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
  Ed25519: generateKeyPairSync('ed25519'),
  Ed448: generateKeyPairSync('ed448'),
};

const KINDS: Readonly<Record<AsymmetricAlgorithm, keyof typeof PAIRS>> = {
  RS256: 'RSA',
  RS384: 'RSA',
  RS512: 'RSA',
  PS256: 'RSA',
  PS384: 'RSA',
  PS512: 'RSA',
  ES256: 'P-256',
  ES384: 'P-384',
  ES512: 'P-521',
  EdDSA: 'Ed25519',
  Ed25519: 'Ed25519',
};

const input = Buffer.from('header.payload');
const pairOf = (algorithm: AsymmetricAlgorithm): KeyPairKeyObjectResult => PAIRS[KINDS[algorithm]];

function signed(
  algorithm: AsymmetricAlgorithm,
  bytes = input,
  key: KeyObject = pairOf(algorithm).privateKey,
) {
  return signWithKeyPair({ algorithm, key }, algorithm, bytes);
}

function isSigned(algorithm: AsymmetricAlgorithm, signature: Uint8Array, key = pairOf(algorithm).publicKey) {
  return isSignedWithKeyPair({ algorithm, key }, algorithm, input, signature);
}

describe('signatures with key pairs', () => {
  it.each(ASYMMETRIC_ALGORITHMS)('agree with those of the library for %s', async (algorithm) => {
    const { publicKey, privateKey } = pairOf(algorithm);
    const ours = await signJwt({ key: { algorithm, key: privateKey }, typ: 'JWT', claims: { sub: 'a' } });
    const verified = await compactVerify(ours, publicKey, { algorithms: [algorithm] });
    expect(verified.protectedHeader).toEqual({ alg: algorithm, typ: 'JWT' });
    const theirs = await new CompactSign(input).setProtectedHeader({ alg: algorithm }).sign(privateKey);
    const at = theirs.lastIndexOf('.');
    const signature = Buffer.from(theirs.slice(at + 1), 'base64url');
    const key = { algorithm, key: publicKey };
    expect(isSignedWithKeyPair(key, algorithm, Buffer.from(theirs.slice(0, at)), signature)).toBe(true);
    expect(isSigned(algorithm, signed(algorithm))).toBe(true);
  });

  it('are refused for other bytes, and with any changed bit', () => {
    for (const algorithm of ASYMMETRIC_ALGORITHMS) {
      const signature = signed(algorithm);
      expect(isSigned(algorithm, signed(algorithm, Buffer.from('header.other')))).toBe(false);
      for (const at of [0, 31, signature.length - 1]) {
        const changed = Buffer.from(signature);
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect(isSigned(algorithm, changed), algorithm).toBe(false);
      }
    }
  });

  // Node chooses the algorithm by the key: an RSA key would verify an RSA signature under any other name.
  it('are refused for keys of every other type and curve, whatever key signed', () => {
    for (const algorithm of ASYMMETRIC_ALGORITHMS) {
      for (const [kind, { publicKey, privateKey }] of Object.entries(PAIRS)) {
        if (kind === KINDS[algorithm]) continue;
        const digest = kind.startsWith('Ed') ? null : 'sha256';
        const signature = sign(digest, input, { key: privateKey, dsaEncoding: 'ieee-p1363' });
        expect(isSigned(algorithm, signature, publicKey), `${algorithm} with ${kind}`).toBe(false);
        expect(() => signed(algorithm, input, privateKey), `${algorithm} with ${kind}`).toThrow(TypeError);
      }
    }
  });

  it('are refused for RSA keys that are too short', () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const signature = sign('sha256', input, short.privateKey);
    expect(isSigned('RS256', signature, short.publicKey)).toBe(false);
    expect(() => signed('RS256', input, short.privateKey)).toThrow(TypeError);
  });

  it('with one RSA algorithm are refused as another', () => {
    const algorithms = ASYMMETRIC_ALGORITHMS.filter((algorithm) => KINDS[algorithm] === 'RSA');
    for (const one of algorithms)
      for (const other of algorithms)
        expect(isSigned(other, signed(one)), `${one}, ${other}`).toBe(one === other);
    for (const saltLength of [0, 20, 64]) {
      const padding = constants.RSA_PKCS1_PSS_PADDING;
      const signature = sign('sha256', input, { key: RSA.privateKey, padding, saltLength });
      expect(isSigned('PS256', signature), `salt of ${saltLength}`).toBe(false);
    }
  });

  it('with curves have one encoding and length (RFC 7518 section 3.4)', () => {
    const { privateKey } = PAIRS['P-256'];
    const signature = signed('ES256');
    const others: Record<string, Uint8Array> = {
      DER: sign('sha256', input, privateKey),
      empty: Buffer.alloc(0),
      zeros: Buffer.alloc(64),
      'of ones': Buffer.alloc(64, 0xff),
      short: signature.subarray(0, 63),
      half: signature.subarray(0, 32),
      long: Buffer.concat([signature, Buffer.alloc(1)]),
      padded: Buffer.concat([
        Buffer.alloc(1),
        signature.subarray(0, 32),
        Buffer.alloc(1),
        signature.subarray(32),
      ]),
      twice: Buffer.concat([signature, signature]),
    };
    for (const [title, other] of Object.entries(others)) expect(isSigned('ES256', other), title).toBe(false);
    expect(isSigned('Ed25519', Buffer.concat([signed('Ed25519'), Buffer.alloc(1)]))).toBe(false);
  });

  it('are never made with secrets', () => {
    for (const alg of ['HS256', 'none', 'ES256K', 'es256', '', 'constructor'])
      expect(keyPairAlgorithm(alg)).toBeUndefined();
  });
});
