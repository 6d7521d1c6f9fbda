import { generateKeyPairSync } from 'node:crypto';
import type { JsonValue } from '@vestibule/protocol/json';
import { afterEach, describe, expect, it } from 'vitest';
import { createEgress } from './egress.js';
import { keySetFetcher } from './key-set-fetcher.js';
import { documentServers, padded, type ServedDocument } from './testing/document-servers.js';

const { serve, close } = documentServers();
const LIMIT = 65_536;
const JSON_TYPE = 'application/json';
const JWK_SET_TYPE = 'application/jwk-set+json';

afterEach(close);

describe('keySetFetcher', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicJwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'k1' } as JsonValue;
  const privateJwk = { ...pair.privateKey.export({ format: 'jwk' }), kid: 'k1' } as JsonValue;
  const fetched = async (...args: ServedDocument) => {
    const { egress, url } = await serve(...args);
    return keySetFetcher(egress)(url);
  };

  it('fetches a public key set of either media type, up to 64 KiB', async () => {
    const body = JSON.stringify({ keys: [publicJwk], unknown: true });
    for (const type of [JSON_TYPE, JWK_SET_TYPE, `${JWK_SET_TYPE}; charset=utf-8`]) {
      const { server, egress, url } = await serve(body, type);
      expect((await keySetFetcher(egress)(url))?.keys).toEqual([publicJwk]);
      expect(server.heads[0]).toContain('accept: application/jwk-set+json, application/json\r\n');
    }
    expect((await fetched(padded({ keys: [publicJwk] }, LIMIT)))?.usableKeys).toHaveLength(1);
  });

  it('returns nothing for everything else', async () => {
    const body = JSON.stringify({ keys: [publicJwk] });
    const cases: Record<string, ServedDocument> = {
      'another media type': [body, 'text/plain'],
      'a private key': [JSON.stringify({ keys: [publicJwk, privateJwk] })],
      'a symmetric key': [JSON.stringify({ keys: [{ kty: 'oct', k: 'AAAA' }] })],
      'a repeated member': [`{"keys":[],"keys":[]}`],
      'no key set': ['[]'],
      'no JSON': ['<keys/>'],
      'too much': [padded({ keys: [publicJwk] }, LIMIT + 1)],
      'too deep': [`${'{"keys":'.repeat(1000)}[]${'}'.repeat(1000)}`],
      'too many keys': [JSON.stringify({ keys: Array(21).fill({ kty: 'AKP' }) })],
      'a redirect': [body, JSON_TYPE, '302 Found'],
      'an error': [body, JSON_TYPE, '500 Internal Server Error'],
    };
    for (const [title, response] of Object.entries(cases))
      expect(await fetched(...response), title).toBeUndefined();
  });

  it('reports an overload when that is requested', async () => {
    const egress = createEgress({ maxConcurrent: 0, maxQueued: 0 });
    expect(await keySetFetcher(egress)('https://app.example/keys')).toBeUndefined();
    await expect(
      keySetFetcher(egress, { refusesOverload: true })('https://app.example/keys'),
    ).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 5 });
  });

  it('sends nothing to blocked addresses', async () => {
    const { server } = await serve(JSON.stringify({ keys: [publicJwk] }));
    const fetch = keySetFetcher(createEgress());
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1'])
      for (const scheme of ['http', 'https'])
        expect(await fetch(`${scheme}://${host}:${server.port}/document`)).toBeUndefined();
    for (const address of ['', 'jwks', 'file:///etc/passwd', 'data:application/json,{"keys":[]}'])
      expect(await fetch(address)).toBeUndefined();
    expect(server.connections()).toBe(0);
  });
});
