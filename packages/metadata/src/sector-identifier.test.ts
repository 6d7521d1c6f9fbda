import { describe, expect, it } from 'vitest';
import { checkSectorIdentifier, isInSector, sectorIdentifier } from './sector-identifier.js';

const redirect_uris = ['https://a.example/cb', 'https://b.example/cb'];
const client = {
  subject_type: 'pairwise',
  response_types: ['code'],
  redirect_uris,
  sector_identifier_uri: 'https://s.example/x',
};

describe('checkSectorIdentifier', () => {
  it('accepts a list of all redirect URIs, whatever else it lists', () => {
    checkSectorIdentifier([...redirect_uris, 'https://c.example/cb'].reverse(), client);
  });

  // Someone who is not in the list would otherwise learn the identifiers of the sector's users.
  it('refuses every other document', () => {
    const documents = [
      undefined,
      null,
      {},
      'https://a.example/cb',
      [],
      [redirect_uris[0]],
      ['https://a.example/cb/', 'https://b.example/cb'],
      [...redirect_uris, 1],
      [...redirect_uris, null],
      [redirect_uris],
      Array.from({ length: 1001 }, (_, i) => redirect_uris[i % 2]),
    ];
    for (const document of documents) {
      expect(() => checkSectorIdentifier(document, client)).toThrow(
        expect.objectContaining({ code: 'invalid_client_metadata' }),
      );
    }
  });

  it('refuses a client of which no list can say that it belongs', () => {
    const { redirect_uris: _none, ...rest } = client;
    for (const outsider of [rest, { ...rest, redirect_uris: [] }]) {
      expect(() => checkSectorIdentifier(redirect_uris, outsider)).toThrow(
        expect.objectContaining({ code: 'invalid_client_metadata' }),
      );
    }
  });
});

describe('sectorIdentifier', () => {
  const { sector_identifier_uri: _uri, ...alone } = client;
  const of = (...uris: string[]) => sectorIdentifier({ ...alone, redirect_uris: uris });

  it('is the host of the document, else the one host of the redirect URIs', () => {
    expect(sectorIdentifier(client)).toBe('s.example');
    expect(of('https://A.example/1', 'https://a.example:443/2')).toBe('a.example');
    expect(of(...redirect_uris)).toBeUndefined();
    expect(of()).toBeUndefined();
    expect(sectorIdentifier({ ...alone, response_types: [] })).toBeUndefined();
  });

  it('tells ports apart, but for the usual one', () => {
    expect(sectorIdentifier({ ...client, sector_identifier_uri: 'https://S.example:8443/x' })).toBe(
      's.example:8443',
    );
    expect(of('https://a.example:8443/1', 'https://a.example:8443/2')).toBe('a.example:8443');
    expect(of('https://a.example/1', 'https://a.example:8443/2')).toBeUndefined();
  });

  it('is nothing that belongs to everyone', () => {
    for (const uri of ['http://127.0.0.1/cb', 'org.example.app:/cb']) {
      expect(of(uri), uri).toBeUndefined();
      expect(of('https://a.example/cb', uri), uri).toBeUndefined();
    }
  });
});

describe('isInSector', () => {
  it('is so of the host of the sector and the origins of redirect URIs', () => {
    for (const uri of ['https://S.example/out', 'https://a.example/out', 'https://b.example:443/']) {
      expect(isInSector(client, uri), uri).toBe(true);
    }
  });

  // Whoever names the redirect URIs of someone else would learn there what those learn.
  it('is so of nothing else', () => {
    const others = [
      'https://c.example/',
      'https://a.example:8443/',
      'http://a.example/',
      'https://a.example.c/',
    ];
    for (const uri of [...others, 'http://s.example/', 'https://s.example:8443/', 'urn:x', 'nothing']) {
      expect(isInSector(client, uri), uri).toBe(false);
    }
    const { sector_identifier_uri: _uri, redirect_uris: _redirects, ...rest } = client;
    expect(isInSector(rest, 'http://127.0.0.1/out')).toBe(false);
  });
});
