import { generateKeyPairSync } from 'node:crypto';
import type { JsonValue } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { parseStatementIssuers } from './statement-issuers.js';

const ADDRESS = 'https://vendor.example/jwks';
const jwk: JsonValue = {
  ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }),
} as JsonValue & object;

describe('parseStatementIssuers', () => {
  it('parses issuers with a JWK set or a URL, whatever characters their names contain', () => {
    const issuers = parseStatementIssuers({
      'https://vendor.example': { keys: [jwk] },
      'Vendor Ltd': ADDRESS,
    });
    expect([...issuers.keys()]).toEqual(['https://vendor.example', 'Vendor Ltd']);
    expect(issuers.get('Vendor Ltd')).toEqual({ address: ADDRESS });
    expect(issuers.get('https://vendor.example')).toMatchObject({ jwks: { keys: [jwk] } });
    expect(parseStatementIssuers({}).size).toBe(0);
  });

  it('trusts no issuer that is not configured, including names of object members', () => {
    const issuers = parseStatementIssuers({ vendor: ADDRESS });
    for (const name of ['', 'Vendor', 'vendor ', 'constructor', '__proto__', 'toString'])
      expect(issuers.has(name), name).toBe(false);
  });

  it('refuses everything else, and quotes nothing of it', () => {
    const bad: unknown[] = [
      undefined,
      null,
      'vendor',
      [],
      [{ vendor: ADDRESS }],
      { '': ADDRESS },
      { ['v'.repeat(2049)]: ADDRESS },
      { vendor: null },
      { vendor: true },
      { vendor: [] },
      { vendor: {} },
      { vendor: { keys: [] } },
      { vendor: { keys: [{ kty: 'oct', k: 'AAAA' }] } },
      { vendor: { keys: [{ ...(jwk as object), d: 'AAAA' }] } },
      { vendor: { keys: [{ ...(jwk as object), use: 'enc' }] } },
      { vendor: '' },
      { vendor: 'vendor.example/jwks' },
      { vendor: 'file:///etc/passwd' },
      { vendor: 'https://' },
      { vendor: 'https://[vendor/' },
      { vendor: 'https://vendor.example/a b' },
      { vendor: `https://vendor.example/${'a'.repeat(2048)}` },
    ];
    for (const value of bad) {
      const parse = () => parseStatementIssuers(value);
      expect(parse, JSON.stringify(value)?.slice(0, 60)).toThrow(TypeError);
      expect(parse).not.toThrow(/vendor|passwd|AAAA/);
    }
  });
});
