import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJwksText } from './parse-jwks-text.js';
import { PRIVATE_MEMBERS } from './public-jwk.js';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1' };
const CANARY = 'canary7f3a';

const reasonFor = (value: unknown) => {
  const result = parseJwksText(typeof value === 'string' ? value : JSON.stringify(value));
  return result.ok ? undefined : result.reason;
};

it('parses a set of public keys', () => {
  const result = parseJwksText(JSON.stringify({ keys: [publicJwk] }));
  expect(result.ok && result.jwks.keys).toEqual([publicJwk]);
});

it('names the private member of a key, and quotes no value', () => {
  for (const member of PRIVATE_MEMBERS) {
    const reason = reasonFor({ keys: [publicJwk, { ...publicJwk, kid: 'k2', [member]: CANARY }] });
    expect(reason).toBe(`keys[1].${member}: private and symmetric keys are refused; list public keys only`);
  }
  const whole = { ...privateKey.export({ format: 'jwk' }), kid: 'k1' };
  expect(reasonFor({ keys: [whole] })).toMatch(/^keys\[0\]\.d: /);
  expect(reasonFor({ keys: [{ kty: 'oct', k: CANARY }] })).toMatch(/^keys\[0\]\.k: /);
});

it('refuses a set with a development key that node-oidc-provider publishes with its private part', () => {
  const published = [
    {
      kty: 'RSA',
      kid: 'keystore-CHANGE-ME',
      use: 'sig',
      e: 'AQAB',
      n: 'xwQ72P9z9OYshiQ-ntDYaPnnfwG6u9JAdLMZ5o0dmjlcyrvwQRdoFIKPnO65Q8mh6F_LDSxjxa2Yzo_wdjhbPZLjfUJXgCzm54cClXzT5twzo7lzoAfaJlkTsoZc2HFWqmcri0BuzmTFLZx2Q7wYBm0pXHmQKF0V-C1O6NWfd4mfBhbM-I1tHYSpAMgarSm22WDMDx-WWI7TEzy2QhaBVaENW9BKaKkJklocAZCxk18WhR0fckIGiWiSM5FcU1PY2jfGsTmX505Ub7P5Dz75Ygqrutd5tFrcqyPAtPTFDk8X1InxkkUwpP3nFU5o50DGhwQolGYKPGtQ-ZtmbOfcWQ',
    },
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'FWZ9rSkLt6Dx9E3pxLybhdM6xgR5obGsj5_pqmnz5J4',
      y: '_n8G69C-A2Xl4xUW2lF0i8ZGZnk_KPYrhv4GbTGu5G4',
    },
    { kty: 'OKP', crv: 'Ed25519', x: 'lDkysGJKRmJeUp8ncTyGraHPHHiIfdxSajxGm7Srla8' },
  ];
  for (const key of published)
    for (const kid of [undefined, 'renamed'])
      expect(reasonFor({ keys: [publicJwk, { ...key, ...(kid && { kid }) }] }), key.kty).toBe(
        'a key is a development key of node-oidc-provider, whose private key is public',
      );
});

it('refuses a set without a key that verifies signatures', () => {
  const reason = 'no key of the set verifies signatures';
  for (const keys of [[], [{ ...publicJwk, use: 'enc' }], [{ kty: 'AKP', kid: 'k1' }]])
    expect(reasonFor({ keys }), JSON.stringify(keys)).toBe(reason);
});

it('refuses everything else with a reason', () => {
  const cases: readonly (readonly [unknown, string])[] = [
    ['<keys/>', 'The text is not valid JSON'],
    ['{"keys":[],"keys":[]}', 'The JSON text repeats a member name'],
    [`${'['.repeat(50)}${']'.repeat(50)}`, 'The JSON text is nested too deeply'],
    [[], 'the key set is not a JSON object'],
    [{ keys: {} }, 'the key set has no keys array'],
    [{ keys: [publicJwk, publicJwk] }, 'two keys have the same kid'],
    [{ keys: [{ ...publicJwk, x: publicJwk.y }] }, 'a key is invalid'],
  ];
  for (const [value, reason] of cases) expect(reasonFor(value), JSON.stringify(value)).toBe(reason);
});

it('never throws, and never accepts a set with a private member', () => {
  const member = fc.constantFrom(...PRIVATE_MEMBERS, 'kty', 'kid', 'crv', 'x', 'y', 'n', 'e', 'use');
  const key = fc.oneof(fc.dictionary(member, fc.oneof(fc.string(), fc.integer())), fc.jsonValue());
  const keys = fc.oneof(fc.array(key), fc.jsonValue());
  fc.assert(
    fc.property(keys, (value) => {
      const isAccepted = reasonFor({ keys: value }) === undefined;
      const listed: readonly unknown[] = Array.isArray(value) ? value : [];
      const isPrivate = (each: unknown) =>
        Object(each) === each && PRIVATE_MEMBERS.some((name) => Object.hasOwn(Object(each), name));
      expect(isAccepted && listed.some(isPrivate)).toBe(false);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      parseJwksText(text);
    }),
  );
});
