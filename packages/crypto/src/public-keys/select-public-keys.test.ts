import { generateKeyPairSync, KeyObject } from 'node:crypto';
import { ASYMMETRIC_ALGORITHMS, ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS } from '@vestibule/protocol/constants';
import { generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { decryptJwt } from '../jwt/decrypt-jwt.js';
import { encryptJwt } from '../jwt/encrypt-jwt.js';
import { signJwt } from '../jwt/sign-jwt.js';
import { verifyJwt } from '../jwt/verify-jwt.js';
import { parsePublicJwks } from './public-jwk-set.js';
import {
  hasEncryptionKey,
  hasVerificationKey,
  selectEncryptionKey,
  selectVerificationKeys,
  verificationKeysIn,
} from './select-public-keys.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const ed = generateKeyPairSync('ed25519');

function setOf(...keys: readonly [KeyObject, object?][]) {
  const result = parsePublicJwks({
    keys: keys.map(([key, members]) => ({ ...key.export({ format: 'jwk' }), ...members })),
  });
  if (!result.ok) throw new Error(result.reason);
  return result.jwks;
}

const all = setOf(
  [rsa.publicKey, { kid: 'rsa' }],
  [p256.publicKey, { kid: 'p256' }],
  [p384.publicKey, { kid: 'p384' }],
  [ed.publicKey, { kid: 'ed' }],
);

describe('selectVerificationKeys', () => {
  it('selects by key type and curve', async () => {
    const suitable: Record<string, string> = { ES256: 'p256', ES384: 'p384', EdDSA: 'ed', Ed25519: 'ed' };
    for (const alg of ASYMMETRIC_ALGORITHMS) {
      const kid = /^[RP]S/.test(alg) ? 'rsa' : suitable[alg];
      expect(await selectVerificationKeys(all, { alg, kid: undefined }), alg).toHaveLength(
        kid === undefined ? 0 : 1,
      );
      expect(hasVerificationKey(all, alg)).toBe(kid !== undefined);
      for (const other of ['rsa', 'p256', 'p384', 'ed', 'unknown'])
        expect(await selectVerificationKeys(all, { alg, kid: other })).toHaveLength(other === kid ? 1 : 0);
    }
  });

  it('returns nothing for algorithms without public keys', async () => {
    for (const alg of ['none', 'HS256', 'RSA-OAEP-256', '', 'rs256'])
      expect(await selectVerificationKeys(all, { alg, kid: undefined })).toEqual([]);
  });

  it('respects use, alg and key_ops of a key', async () => {
    const hint = { alg: 'ES256', kid: undefined };
    for (const members of [
      { use: 'enc' },
      { use: 'other' },
      { alg: 'ES384' },
      { alg: 'ECDH-ES' },
      { key_ops: ['encrypt'] },
      { key_ops: [] },
    ])
      expect(await selectVerificationKeys(setOf([p256.publicKey, members]), hint)).toEqual([]);
    for (const members of [{ use: 'sig' }, { alg: 'ES256' }, { key_ops: ['verify'] }, {}])
      expect(await selectVerificationKeys(setOf([p256.publicKey, members]), hint)).toHaveLength(1);
  });

  it('requires the kid of the token, even if there is only one key', async () => {
    expect(await selectVerificationKeys(setOf([p256.publicKey]), { alg: 'ES256', kid: 'k' })).toEqual([]);
  });

  it('returns several keys for a token without kid, and imports each once', async () => {
    const second = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const set = setOf([second.publicKey, { kid: 'a' }], [p256.publicKey, { kid: 'b' }]);
    const keys = await selectVerificationKeys(set, { alg: 'ES256', kid: undefined });
    expect(keys).toHaveLength(2);
    const again = await selectVerificationKeys(set, { alg: 'ES256', kid: undefined });
    expect(again.map(({ key }) => key)).toEqual(keys.map(({ key }) => key));
    expect(again[0]?.key).toBe(keys[0]?.key);

    const token = await signJwt({
      key: { algorithm: 'ES256', key: p256.privateKey },
      typ: 'JWT',
      claims: {},
    });
    const options = { algorithms: ['ES256'] as const, types: ['JWT'], maxLength: 1000 };
    await verifyJwt(token, { ...options, keys: verificationKeysIn(set) });
  });
});

describe('selectEncryptionKey', () => {
  it('selects by key type: RSA for RSA-OAEP, a NIST curve for ECDH-ES', async () => {
    for (const algorithm of ASYMMETRIC_KEY_MANAGEMENT_ALGORITHMS) {
      const key = await selectEncryptionKey(all, algorithm);
      expect(key?.kid, algorithm).toBe(algorithm.startsWith('RSA') ? 'rsa' : 'p256');
      expect(hasEncryptionKey(setOf([ed.publicKey]), algorithm)).toBe(false);
      expect(await selectEncryptionKey(setOf([ed.publicKey]), algorithm)).toBeUndefined();
    }
  });

  it('respects use, alg and key_ops of a key', () => {
    for (const members of [{ use: 'sig' }, { alg: 'RS256' }, { alg: 'RSA-OAEP' }, { key_ops: ['verify'] }])
      expect(hasEncryptionKey(setOf([rsa.publicKey, members]), 'RSA-OAEP-256')).toBe(false);
    for (const members of [
      { use: 'enc' },
      { alg: 'RSA-OAEP-256' },
      { key_ops: ['wrapKey'] },
      { key_ops: ['encrypt'] },
      {},
    ])
      expect(hasEncryptionKey(setOf([rsa.publicKey, members]), 'RSA-OAEP-256')).toBe(true);
  });

  it('returns a key that encrypts to its holder', async () => {
    for (const algorithm of ['RSA-OAEP-256', 'ECDH-ES', 'ECDH-ES+A256KW'] as const) {
      const pair = await generateKeyPair(algorithm, { extractable: true });
      const key = await selectEncryptionKey(setOf([KeyObject.from(pair.publicKey)]), algorithm);
      if (key === undefined) throw new Error('no key');
      const token = await encryptJwt('a.b.c', { key, encryption: 'A128CBC-HS256' });
      const options = { algorithms: [algorithm], encryptions: ['A128CBC-HS256'] as const, maxLength: 4096 };
      const keys = () => [{ algorithm, key: pair.privateKey }];
      expect(await decryptJwt(token, { ...options, keys })).toBe('a.b.c');
    }
  });
});
