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
