import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import {
  CONTENT_ENCRYPTION_ALGORITHMS,
  SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS,
} from '@vestibule/protocol/constants';
import fc from 'fast-check';
import { CompactEncrypt, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { secretDecryptionKeys, secretEncryptionKey } from './client-secret-keys.js';
import { type DecryptJwtOptions, decryptJwt } from './decrypt-jwt.js';
import { encryptJwt } from './encrypt-jwt.js';
import { JoseFailure, type JoseFailureReason } from './jose-failure.js';
import type { DecryptionKey, EncryptionKey } from './jose-keys.js';
import { isEncryptedJwt } from './jwt.js';

const jws = 'eyJhbGciOiJub25lIn0.e30.';
const secret = 'a-client-secret-of-43-letters-0123456789abc';
const pair = await generateKeyPair('RSA-OAEP-256');
const encryptionKey: EncryptionKey = { algorithm: 'RSA-OAEP-256', kid: 'e1', key: pair.publicKey };
const decryptionKey: DecryptionKey = { algorithm: 'RSA-OAEP-256', key: pair.privateKey };
const token = await encryptJwt(jws, { key: encryptionKey, encryption: 'A256GCM' });

function options(changes: Partial<DecryptJwtOptions> = {}): DecryptJwtOptions {
  return {
    keys: () => [decryptionKey],
    algorithms: ['RSA-OAEP-256', 'ECDH-ES', 'dir'],
    encryptions: ['A256GCM', 'A128CBC-HS256'],
    maxLength: 8192,
    ...changes,
  };
}

async function reasonFor(text: string, changes: Partial<DecryptJwtOptions> = {}): Promise<JoseFailureReason> {
  try {
    await decryptJwt(text, options(changes));
  } catch (error) {
    if (error instanceof JoseFailure) return error.reason;
    throw error;
  }
  throw new Error('was accepted');
}

/** A token with a wrong header; its other parts are those of a valid one. */
function withHeader(header: object): string {
  const [, ...others] = token.split('.');
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), ...others].join('.');
}

describe('encryptJwt and decryptJwt', () => {
  it('encrypt a signed JWT to the holder of the private key, with cty JWT and the kid', async () => {
    expect(await decryptJwt(token, options())).toBe(jws);
    const [header = ''] = token.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: 'RSA-OAEP-256',
      enc: 'A256GCM',
      cty: 'JWT',
      kid: 'e1',
    });
    expect(isEncryptedJwt(token)).toBe(true);
    expect(isEncryptedJwt(jws)).toBe(false);
  });

  it('support elliptic curves', async () => {
    const ec = await generateKeyPair('ECDH-ES', { crv: 'P-256' });
    const encrypted = await encryptJwt(jws, {
      key: { algorithm: 'ECDH-ES', key: ec.publicKey },
      encryption: 'A128CBC-HS256',
    });
    const keys = () => [{ algorithm: 'ECDH-ES' as const, key: ec.privateKey }];
    expect(await decryptJwt(encrypted, options({ keys }))).toBe(jws);
  });

  it('support a client secret, for every algorithm (OpenID Connect Core section 10.2)', async () => {
    for (const algorithm of SYMMETRIC_KEY_MANAGEMENT_ALGORITHMS)
      for (const encryption of CONTENT_ENCRYPTION_ALGORITHMS) {
        const encrypted = await encryptJwt(jws, {
          key: secretEncryptionKey(secret, algorithm, encryption),
          encryption,
        });
        const keys = (hint: { alg: string; enc: string }) =>
          secretDecryptionKeys(['an earlier or later secret', secret], hint);
        const accepted = options({ keys, algorithms: [algorithm], encryptions: [encryption] });
        expect(await decryptJwt(encrypted, accepted), `${algorithm} ${encryption}`).toBe(jws);
      }
  });

  it('pass alg, enc and kid to the key source, and pass on its errors', async () => {
    const hints: unknown[] = [];
    await decryptJwt(
      token,
      options({
        keys: (hint) => {
          hints.push(hint);
          return [decryptionKey];
        },
      }),
    );
    expect(hints).toEqual([{ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'e1' }]);
    const keys = () => Promise.reject(new Error('store is down'));
    await expect(decryptJwt(token, options({ keys }))).rejects.toThrow('store is down');
  });

  it('throw JoseFailure for a key that cannot be encrypted to', async () => {
    const key: EncryptionKey = { algorithm: 'ECDH-ES', key: pair.publicKey };
    await expect(encryptJwt(jws, { key, encryption: 'A256GCM' })).rejects.toThrow(JoseFailure);
  });
});

describe('decryptJwt', () => {
  it('refuses algorithms that are not accepted before it requests a key', async () => {
    const keys = () => {
      throw new Error('asked for a key');
    };
    for (const alg of ['RSA1_5', 'PBES2-HS256+A128KW', 'RSA-OAEP', 'none', 'dir ', 'A256KW'])
      expect(await reasonFor(withHeader({ alg, enc: 'A256GCM', p2c: 2 ** 31, p2s: 'AAAA' }), { keys })).toBe(
        'algorithm',
      );
    for (const enc of ['A128GCM', 'none', undefined, 1, ['A256GCM']])
      expect(await reasonFor(withHeader({ alg: 'RSA-OAEP-256', enc }), { keys })).toBe('algorithm');
  });

  it('refuses compressed content without decompressing it', async () => {
    const bomb = deflateRawSync(Buffer.alloc(10_000_000));
    const compressed = await new CompactEncrypt(bomb.subarray(0, 1000))
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
      .encrypt(pair.publicKey);
    const [, ...others] = compressed.split('.');
    const header = Buffer.from(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', zip: 'DEF' })).toString(
      'base64url',
    );
    expect(await reasonFor([header, ...others].join('.'))).toBe('malformed');
    expect(await reasonFor(withHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', crit: [] }))).toBe('malformed');
  });

  it('refuses anything but a token of five parts, and oversized tokens', async () => {
    for (const text of ['', jws, '....', `${token}.`, `${token}=`, ` ${token}`, token.replace('.', '..')])
      expect(['malformed', 'decryption'], text).toContain(await reasonFor(text));
    expect(await reasonFor(token, { maxLength: token.length - 1 })).toBe('too_long');
  });

  it('decrypts no mutation of a token', async () => {
    const mutation = fc.record({
      at: fc.nat({ max: token.length }),
      remove: fc.nat({ max: 3 }),
      insert: fc.string({ unit: fc.constantFrom(...'AZaz09-_.=+/ '), maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(mutation, async ({ at, remove, insert }) => {
        const text = token.slice(0, at) + insert + token.slice(at + remove);
        if (text !== token) await reasonFor(text);
      }),
      { numRuns: 300 },
    );
  });

  // Different responses to malformed encryptions would let an attacker use such a key without having it.
  it('throws the same error for every defect of the encryption', async () => {
    const [header, key = '', iv, content = '', tag = ''] = token.split('.');
    const flip = (part: string) => (part.startsWith('A') ? 'B' : 'A') + part.slice(1);
    const other = await generateKeyPair('RSA-OAEP-256');
    const wrong = [
      [header, flip(key), iv, content, tag],
      [header, '', iv, content, tag],
      [header, key.slice(0, -2), iv, content, tag],
      [header, key, '', content, tag],
      [header, key, iv, flip(content), tag],
      [header, key, iv, content, flip(tag)],
      [header, key, iv, content, ''],
    ];
    const failures = await Promise.all(
      wrong.map((parts) => decryptJwt(parts.join('.'), options()).catch((error: unknown) => error)),
    );
    const keys = () => [{ algorithm: 'RSA-OAEP-256' as const, key: other.privateKey }];
    failures.push(await decryptJwt(token, options({ keys })).catch((error: unknown) => error));
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(JoseFailure);
      expect(String(failure)).toBe('JoseFailure: token does not decrypt');
      expect(failure).not.toHaveProperty('cause');
    }
  });

  it('uses no key of another algorithm', async () => {
    expect(await reasonFor(token, { keys: () => [{ ...decryptionKey, algorithm: 'ECDH-ES' }] })).toBe('key');
    expect(await reasonFor(token, { keys: () => [] })).toBe('key');
  });

  it('refuses a point that is not on the curve', async () => {
    const ec = await generateKeyPair('ECDH-ES', { crv: 'P-256' });
    const keys = () => [{ algorithm: 'ECDH-ES' as const, key: ec.privateKey }];
    const point = Buffer.alloc(32, 1).toString('base64url');
    for (const epk of [{ kty: 'EC', crv: 'P-256', x: point, y: point }, { kty: 'EC' }, null, 1, undefined])
      expect(await reasonFor(withHeader({ alg: 'ECDH-ES', enc: 'A256GCM', epk }), { keys })).toBe(
        'decryption',
      );
  });
});

describe('secretEncryptionKey', () => {
  it('returns the left-most bits of the first digest that is long enough', () => {
    const digest = (name: string) => createHash(name).update(secret).digest();
    const bytesOf = (...args: Parameters<typeof secretEncryptionKey>) => {
      const { key } = secretEncryptionKey(...args);
      if (!('export' in key)) throw new Error('not a secret key');
      return key.export();
    };
    expect(bytesOf(secret, 'dir', 'A128GCM')).toEqual(digest('sha256').subarray(0, 16));
    expect(bytesOf(secret, 'dir', 'A128CBC-HS256')).toEqual(digest('sha256'));
    expect(bytesOf(secret, 'dir', 'A192CBC-HS384')).toEqual(digest('sha384'));
    expect(bytesOf(secret, 'dir', 'A256CBC-HS512')).toEqual(digest('sha512'));
    // The wrapping key has the length of its own algorithm, whatever it wraps.
    expect(bytesOf(secret, 'A128KW', 'A256CBC-HS512')).toEqual(digest('sha256').subarray(0, 16));
    expect(bytesOf(secret, 'A192GCMKW', 'A128GCM')).toEqual(digest('sha256').subarray(0, 24));
  });
});
