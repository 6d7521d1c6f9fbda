import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { expect, it } from 'vitest';
import { jwkThumbprint } from './jwk-thumbprint.js';

it('returns the thumbprints in the examples of RFC 7638 section 3.1 and RFC 8037 appendix A.3', () => {
  const rsa = {
    kty: 'RSA',
    n: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw',
    e: 'AQAB',
    alg: 'RS256',
    kid: '2011-04-29',
  };
  expect(jwkThumbprint(rsa)).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
  const okp = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
  expect(jwkThumbprint(okp)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
});

it.each(['RS256', 'ES256', 'ES384', 'ES512', 'EdDSA'])(
  'of a key for %s does not depend on its other members, private ones included',
  async (algorithm) => {
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
    const [publicJwk, privateJwk] = await Promise.all([exportJWK(publicKey), exportJWK(privateKey)]);
    const expected = await calculateJwkThumbprint(publicJwk);
    const reversed = Object.fromEntries(Object.entries(publicJwk).reverse());
    for (const jwk of [
      publicJwk,
      privateJwk,
      reversed,
      { ...publicJwk, kid: 'k', use: 'sig', alg: algorithm },
    ])
      expect(jwkThumbprint(jwk)).toBe(expected);
  },
);

it('rejects a key without a public part, and one that lacks a member', () => {
  for (const jwk of [{}, { kty: 'oct', k: 'x' }, { kty: 'constructor' }, { kty: 'AKP', pub: 'x' }])
    expect(() => jwkThumbprint(jwk)).toThrow(/type/);
  for (const jwk of [
    { kty: 'RSA', n: 'x' },
    { kty: 'EC', crv: 'P-256', x: 'x', y: 1 },
    { kty: 'OKP', x: 'x' },
  ])
    expect(() => jwkThumbprint(jwk)).toThrow(/lacks/);
});
