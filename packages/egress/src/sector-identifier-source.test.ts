import { afterEach, describe, expect, it } from 'vitest';
import { createEgress } from './egress.js';
import { sectorIdentifierSource } from './sector-identifier-source.js';
import { documentServers, padded, type ServedDocument } from './testing/document-servers.js';

const { serve, close } = documentServers();
const LIMIT = 65_536;
const JSON_TYPE = 'application/json';
const JWK_SET_TYPE = 'application/jwk-set+json';

afterEach(close);

describe('sectorIdentifierSource', () => {
  const refusal = {
    name: 'DomainError',
    code: 'invalid_client_metadata',
    description: 'sector_identifier_uri: must point to a JSON array of strings',
  };
  const read = async (...args: ServedDocument) => {
    const { egress, url } = await serve(...args);
    return sectorIdentifierSource(egress).read(url);
  };

  it('reads an array of strings of up to 64 KiB', async () => {
    const list = ['https://app.example/cb', 'https://other.example/cb'];
    expect(await read(JSON.stringify(list))).toEqual(list);
    expect(await read(padded(list, LIMIT), `${JSON_TYPE};charset=utf-8`)).toEqual(list);
    expect(await read('[]')).toEqual([]);
  });

  // The registering client chooses the address, so no failure may reveal what is behind it.
  it('refuses everything else with the same sentence', async () => {
    const list = JSON.stringify(['https://app.example/cb']);
    const cases: Record<string, ServedDocument> = {
      'an object': ['{"0":"https://app.example/cb"}'],
      'a text': ['"https://app.example/cb"'],
      null: ['null'],
      'an array with an object': ['["https://app.example/cb",{}]'],
      'an array with an array': ['["https://app.example/cb",["x"]]'],
      'an array with a number': ['["https://app.example/cb",1]'],
      'an array with null': ['["https://app.example/cb",null]'],
      'no JSON': ['https://app.example/cb'],
      nothing: [''],
      'half of a surrogate pair': ['["\\ud800"]'],
      'another media type': [list, 'text/html'],
      'a media type for keys': [list, JWK_SET_TYPE],
      'one byte too many': [padded([], LIMIT + 1)],
      'five megabytes': [
        JSON.stringify(Array(100_000).fill('https://app.example/callback/long/enough/to/count')),
      ],
      'a redirect': [list, JSON_TYPE, '301 Moved Permanently'],
      'no document': [list, JSON_TYPE, '404 Not Found'],
    };
    for (const [title, response] of Object.entries(cases))
      await expect(read(...response), title).rejects.toMatchObject(refusal);
    const source = sectorIdentifierSource(createEgress());
    for (const address of ['https://127.0.0.1/', 'http://app.example/', 'sector', ''])
      await expect(source.read(address), address).rejects.toMatchObject(refusal);
  });

  it('reports an overload as too many requests, not as a wrong document', async () => {
    const source = sectorIdentifierSource(createEgress({ maxConcurrent: 0, maxQueued: 0 }));
    await expect(source.read('https://app.example/list')).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 5,
    });
  });
});
