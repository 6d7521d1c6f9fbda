import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parsePrivateKeys, upstreamTokenKeys } from './upstream-token-keys.js';

const pem = (key: KeyObject, type: 'pkcs8' | 'sec1' | 'pkcs1' = 'pkcs8') =>
  key.export({ type, format: 'pem' }).toString();
const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey;
const ed25519 = () => generateKeyPairSync('ed25519').privateKey;

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const PUBLIC_KEY = generateKeyPairSync('ed25519')
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString();

describe('signing keys', () => {
  it('are the keys of the text in order, of which the first signs', () => {
    const [first, second] = [curve('P-256'), ed25519()];
    const keys = upstreamTokenKeys(parsePrivateKeys(`${pem(first, 'sec1')}\n${pem(second)}`) ?? []);
    expect(keys?.signing.algorithm).toBe('ES256');
    expect(keys?.signing.key).toMatchObject({ asymmetricKeyType: 'ec' });
    expect(keys?.published.keys.map(({ alg, use, kid }) => [alg, use, typeof kid])).toEqual([
      ['ES256', 'sig', 'string'],
      ['EdDSA', 'sig', 'string'],
    ]);
    expect(keys?.signing.kid).toBe(keys?.published.keys[0]?.['kid']);
  });

  it('publish nothing private', () => {
    const keys = upstreamTokenKeys(parsePrivateKeys(pem(curve('P-256')) + pem(ed25519())) ?? []);
    const members = keys?.published.keys.map((key) => Object.keys(key).toSorted());
    expect(members).toEqual([
      ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
      ['alg', 'crv', 'kid', 'kty', 'use', 'x'],
    ]);
  });

  it.each<[string, () => string]>([
    ['no key', () => 'x'],
    ['another curve', () => pem(curve('P-384'))],
    ['an RSA key', () => pem(rsa())],
    ['a key for key agreement', () => pem(generateKeyPairSync('x25519').privateKey)],
    ['a usable key and another one', () => pem(ed25519()) + pem(curve('P-384'))],
    ['a key in another form, and a usable one', () => pem(rsa(), 'pkcs1') + pem(ed25519())],
    ['a usable key and its public one', () => pem(ed25519()) + PUBLIC_KEY],
    ['a broken key', () => pem(ed25519()).replace('MC4', 'MC5')],
  ])('are refused: %s', (_what, text) => {
    expect(parsePrivateKeys(text())).toBeUndefined();
  });

  it('are absent without a key', () => {
    expect(upstreamTokenKeys([])).toBeUndefined();
  });
});
