import { createHmac, createSecretKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { ASYMMETRIC_ALGORITHMS, type SigningAlgorithm } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import fc from 'fast-check';
import { exportSPKI, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { secretSigningKey, secretVerificationKeys } from './client-secret-keys.js';
import { JoseFailure, type JoseFailureReason } from './jose-failure.js';
import type { VerificationKey } from './jose-keys.js';
import { decodeUnverifiedJwt } from './jwt.js';
import { signJwt } from './sign-jwt.js';
import { type VerifyJwtOptions, verifyJwt } from './verify-jwt.js';

const claims = { iss: 'https://as.example', sub: 'alice', exp: 1_800_000_000 };
const secret = 'a-client-secret-of-more-than-sixty-four-bytes-in-length-0123456789';

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const verification: VerificationKey = { algorithm: 'ES256', key: pair.publicKey };
const token = await signJwt({
  key: { algorithm: 'ES256', kid: 'k1', key: pair.privateKey },
  typ: 'at+jwt',
  claims,
});

function options(changes: Partial<VerifyJwtOptions> = {}): VerifyJwtOptions {
  return {
    keys: () => [verification],
    algorithms: ['ES256'],
    types: ['at+jwt'],
    maxLength: 4096,
    ...changes,
  };
}

/** The reason why a token was refused; fails for an accepted one, and for any other error. */
async function reasonFor(text: string, changes: Partial<VerifyJwtOptions> = {}): Promise<JoseFailureReason> {
  try {
    await verifyJwt(text, options(changes));
  } catch (error) {
    if (error instanceof JoseFailure) return error.reason;
    throw error;
  }
  throw new Error(`was accepted: ${text}`);
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs any header and payload with the expected key, unlike a correct library. */
function forge(header: JsonObject | string, payload: JsonObject | string = claims): string {
  const part = (value: JsonObject | string) =>
    typeof value === 'string' ? Buffer.from(value).toString('base64url') : encode(value);
  const input = `${part(header)}.${part(payload)}`;
  return `${input}.${sign('sha256', Buffer.from(input), { key: pair.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

describe('verifyJwt', () => {
  it('returns header and claims of a token that was signed with the key', async () => {
    const verified = await verifyJwt(token, options());
    expect(verified.claims).toEqual(claims);
    expect(verified.header).toEqual({
      alg: 'ES256',
      kid: 'k1',
      typ: 'at+jwt',
      members: { alg: 'ES256', kid: 'k1', typ: 'at+jwt' },
    });
  });

  it.each(ASYMMETRIC_ALGORITHMS)('verifies a signature with %s', async (algorithm) => {
    const keyPair = await generateKeyPair(algorithm);
    const signed = await signJwt({ key: { algorithm, key: keyPair.privateKey }, typ: 'JWT', claims });
    const keys = () => [{ algorithm, key: keyPair.publicKey }];
    const verified = await verifyJwt(signed, options({ keys, algorithms: [algorithm], types: ['JWT'] }));
    expect(verified.claims).toEqual(claims);
  });

  it('passes alg and kid to the key source, and passes on its errors', async () => {
    const hints: unknown[] = [];
    await verifyJwt(
      token,
      options({
        keys: async (hint) => {
          hints.push(hint);
          return [verification];
        },
      }),
    );
    expect(hints).toEqual([{ alg: 'ES256', kid: 'k1' }]);
    const keys = () => Promise.reject(new Error('store is down'));
    await expect(verifyJwt(token, options({ keys }))).rejects.toThrow('store is down');
  });

  it('tries one key after the other', async () => {
    const other = await generateKeyPair('ES256');
    const wrong: VerificationKey = { algorithm: 'ES256', key: other.publicKey };
    expect((await verifyJwt(token, options({ keys: () => [wrong, verification] }))).claims).toEqual(claims);
    expect(await reasonFor(token, { keys: () => [wrong, wrong] })).toBe('signature');
  });

  it('accepts every expected type, in any case and with or without application/', async () => {
    for (const types of [['at+jwt'], ['AT+JWT'], ['application/at+jwt'], [undefined, 'JWT', 'at+jwt']])
      expect((await verifyJwt(token, options({ types }))).claims).toEqual(claims);
  });

  // Logout tokens, ID tokens and introspection responses are signed with the same key as access tokens.
  it('refuses a token of another type, or without the required type (RFC 8725 section 3.11)', async () => {
    for (const types of [
      ['JWT'],
      ['logout+jwt'],
      [undefined],
      [],
      ['at+jwt '],
      ['application/application/at+jwt'],
    ])
      expect(await reasonFor(token, { types })).toBe('type');
    expect(await reasonFor(forge({ alg: 'ES256' }))).toBe('type');
    expect((await verifyJwt(forge({ alg: 'ES256' }), options({ types: [undefined] }))).claims).toEqual(
      claims,
    );
  });
});

describe('algorithms (RFC 8725 section 3.1)', () => {
  it('refuses none in every spelling, signed or not', async () => {
    for (const alg of ['none', 'None', 'NONE', 'nOnE', 'none ', '']) {
      const unsigned = `${encode({ alg, typ: 'at+jwt' })}.${encode(claims)}.`;
      expect(await reasonFor(unsigned)).toBe('algorithm');
      expect(await reasonFor(forge({ alg, typ: 'at+jwt' }))).toBe('algorithm');
    }
  });

  it('refuses an unexpected algorithm, whatever keys there are', async () => {
    expect(await reasonFor(token, { algorithms: ['RS256', 'ES384', 'HS256'] })).toBe('algorithm');
    expect(await reasonFor(token, { algorithms: [] })).toBe('algorithm');
  });

  // Anyone could sign if the public key, which everyone has, were used as a secret.
  it('never uses a public key as an HMAC secret', async () => {
    const keyPair = await generateKeyPair('RS256', { extractable: true });
    const spki = await exportSPKI(keyPair.publicKey);
    const input = `${encode({ alg: 'HS256', typ: 'at+jwt' })}.${encode(claims)}`;
    const mac = createHmac('sha256', spki).update(input).digest('base64url');
    const keys = () => [{ algorithm: 'RS256' as const, key: keyPair.publicKey }];
    expect(await reasonFor(`${input}.${mac}`, { keys, algorithms: ['RS256'] })).toBe('algorithm');
    expect(await reasonFor(`${input}.${mac}`, { keys, algorithms: ['RS256', 'HS256'] })).toBe('key');
  });

  it('refuses a key of another algorithm than that of the token', async () => {
    const keys = () => [{ ...verification, algorithm: 'ES384' as const }];
    expect(await reasonFor(token, { keys, algorithms: ['ES256', 'ES384'] })).toBe('key');
  });

  it('refuses a token for which there is no key', async () => {
    expect(await reasonFor(token, { keys: () => [] })).toBe('key');
  });

  it('ignores keys in the header, by value or by URL', async () => {
    const attacker = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = attacker.publicKey.export({ format: 'jwk' });
    const header = {
      alg: 'ES256',
      typ: 'at+jwt',
      jwk,
      jku: 'https://evil.example/jwks',
      x5u: 'https://evil.example/c',
      x5c: ['MII'],
    };
    const input = `${encode(header)}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(input), {
      key: attacker.privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    expect(await reasonFor(`${input}.${signature.toString('base64url')}`)).toBe('signature');
  });
});

describe('strict parsing (RFC 7515 section 3.1)', () => {
  // A second spelling of a revoked token would pass a check that compares the text.
  it('refuses every other spelling of a valid token', async () => {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const strayBits = signature.slice(0, -1) + nextLetter(signature.at(-1) ?? '');
    const spellings = [
      `${token}=`,
      `${header}=.${payload}.${signature}`,
      ` ${token}`,
      `${token}\n`,
      `${header}.${payload}. ${signature}`,
      `${header}\t.${payload}.${signature}`,
      `${token}.`,
      `.${token}`,
      `${token}.${signature}`,
      `${header}.${payload}`,
      `${header}.${payload}.${strayBits}`,
      JSON.stringify({ protected: header, payload, signature }),
      token.replace('.', '%2E'),
    ];
    for (const text of spellings) expect(await reasonFor(text), text).toBe('malformed');
  });

  it('verifies no mutation of a valid token', async () => {
    const mutation = fc.record({
      at: fc.nat({ max: token.length }),
      remove: fc.nat({ max: 3 }),
      insert: fc.string({ unit: fc.constantFrom(...'AZaz09-_.=+/ {}"'), maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(mutation, async ({ at, remove, insert }) => {
        const text = token.slice(0, at) + insert + token.slice(at + remove);
        if (text !== token) await reasonFor(text);
      }),
      { numRuns: 1500 },
    );
  });

  it('verifies no prefix of a valid token', async () => {
    for (let length = 0; length < token.length; length += 1) await reasonFor(token.slice(0, length));
  });

  it('refuses an oversized token without parsing it', async () => {
    expect(await reasonFor(token, { maxLength: token.length - 1 })).toBe('too_long');
    expect((await verifyJwt(token, options({ maxLength: token.length }))).claims).toEqual(claims);
  });

  it('refuses headers that require other processing, also empty ones', async () => {
    for (const extra of [
      { crit: ['b64'], b64: false },
      { crit: [] },
      { crit: ['exp'], exp: 1 },
      { b64: true },
      { b64: false },
      { zip: 'DEF' },
    ])
      expect(await reasonFor(forge({ alg: 'ES256', typ: 'at+jwt', ...extra }))).toBe('malformed');
  });

  it('refuses headers that are not JSON objects, or whose members have wrong types', async () => {
    const headers = [
      '',
      'null',
      '[]',
      '"x"',
      '{',
      '{"alg":"ES256","alg":"ES256"}',
      '{"alg":"ES256","__proto__":{}}',
    ];
    const objects = [{}, { alg: 1 }, { alg: null }, { alg: ['ES256'] }];
    const kids = [1, null, ['k1'], {}, 'k'.repeat(257)].map((kid) => ({ alg: 'ES256', typ: 'at+jwt', kid }));
    const types = [1, null, ['at+jwt']].map((typ) => ({ alg: 'ES256', typ }));
    for (const header of [...headers, ...objects, ...kids, ...types])
      expect(await reasonFor(forge(header)), JSON.stringify(header)).toBe('malformed');
  });

  it('refuses claims that are not a JSON object, repeat a member, reach a prototype or are too deep', async () => {
    const header = { alg: 'ES256', typ: 'at+jwt' };
    const deep = `{"a":${'['.repeat(20)}${']'.repeat(20)}}`;
    const bad = [
      '',
      'null',
      '[]',
      '1',
      '{"sub":"a","sub":"b"}',
      '{"__proto__":{"x":1}}',
      '{"a":"\\u0000"}',
      deep,
    ];
    for (const payload of bad) expect(await reasonFor(forge(header, payload)), payload).toBe('malformed');
    expect((await verifyJwt(forge(header, '{"constructor":"acme"}'), options())).claims).toEqual({
      constructor: 'acme',
    });
  });

  it('refuses claims that are not UTF-8', async () => {
    const input = `${encode({ alg: 'ES256', typ: 'at+jwt' })}.${Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString('base64url')}`;
    const signature = sign('sha256', Buffer.from(input), {
      key: pair.privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    expect(await reasonFor(`${input}.${signature.toString('base64url')}`)).toBe('malformed');
  });
});

describe('signatures', () => {
  it('refuses the all-zero ECDSA signature, the DER form, and one of another length', async () => {
    const [header, payload] = token.split('.');
    const der = sign('sha256', Buffer.from(`${header}.${payload}`), pair.privateKey);
    const zero = [0, 32, 63, 64, 65, 128].map((length) => Buffer.alloc(length));
    for (const signature of [...zero, der])
      await reasonFor(`${header}.${payload}.${signature.toString('base64url')}`);
  });

  // jose throws TypeError or DOMException for such keys, which a handler of expected errors would turn into a 500.
  it('turns every error of the libraries about a bad key into JoseFailure', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
    const ed = generateKeyPairSync('ed25519').publicKey;
    const bad: readonly [SigningAlgorithm, KeyObject][] = [
      ['RS256', weak],
      ['PS256', weak],
      ['ES256', ed],
      ['EdDSA', pair.publicKey],
      ['HS256', pair.publicKey],
      ['ES256', pair.privateKey],
      ['ES256', createSecretKey(Buffer.from(secret))],
    ];
    for (const [algorithm, key] of bad) {
      const text = `${encode({ alg: algorithm, typ: 'at+jwt' })}.${encode(claims)}.${encode('signature')}`;
      const keys = () => [{ algorithm, key }];
      expect(await reasonFor(text, { keys, algorithms: [algorithm] }), algorithm).toBe('signature');
    }
  });
});

describe('secrets as keys', () => {
  it('verifies a signature under any of several secrets', async () => {
    for (const algorithm of ['HS256', 'HS384', 'HS512'] as const) {
      const signed = await signJwt({ key: secretSigningKey(secret, algorithm), typ: 'JWT', claims });
      const keys = (hint: { alg: string }) =>
        secretVerificationKeys(['another-secret-of-more-than-sixty-four-bytes-'.repeat(2), secret], hint);
      const verified = await verifyJwt(signed, options({ keys, algorithms: [algorithm], types: ['JWT'] }));
      expect(verified.claims).toEqual(claims);
    }
  });

  it('uses no secret that is shorter than the digest (RFC 7518 section 3.2)', async () => {
    const lengths = [
      ['HS256', 32],
      ['HS384', 48],
      ['HS512', 64],
    ] as const;
    for (const [alg, bytes] of lengths) {
      expect(secretVerificationKeys(['s'.repeat(bytes - 1)], { alg })).toEqual([]);
      expect(secretVerificationKeys(['s'.repeat(bytes)], { alg })).toHaveLength(1);
      expect(() => secretSigningKey('s'.repeat(bytes - 1), alg)).toThrow(JoseFailure);
    }
    // Counted in bytes of UTF-8, not in characters.
    expect(secretVerificationKeys(['é'.repeat(16)], { alg: 'HS256' })).toHaveLength(1);
  });

  it('returns no key for an algorithm that does not use a secret', () => {
    for (const alg of ['RS256', 'none', 'hs256', ''])
      expect(secretVerificationKeys([secret], { alg })).toEqual([]);
  });
});

describe('decodeUnverifiedJwt', () => {
  it('returns header and claims without a key, by the same strict parsing', () => {
    expect(decodeUnverifiedJwt(token, 4096)).toMatchObject({ header: { alg: 'ES256', kid: 'k1' }, claims });
    for (const text of ['', 'a.b.c', `${token}=`, `${token}.`, token.replace('.', '..')])
      expect(() => decodeUnverifiedJwt(text, 4096)).toThrow(JoseFailure);
    expect(() => decodeUnverifiedJwt(token, 10)).toThrow(JoseFailure);
  });
});

/** The letter that differs only in its lowest bit, which is unused at the end of 64 bytes. */
function nextLetter(letter: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet[alphabet.indexOf(letter) ^ 1] ?? '';
}
