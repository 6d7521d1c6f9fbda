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
  it('accepts a list with all redirect URIs, whatever else it contains', () => {
    checkSectorIdentifier([...redirect_uris, 'https://c.example/cb'].reverse(), client);
  });

  // Otherwise a client outside the list would learn the pairwise subjects of the users of the sector.
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

  it('refuses a client without redirect URIs, which no list can confirm', () => {
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

  it('is the host of the document, else the only host of the redirect URIs', () => {
    expect(sectorIdentifier(client)).toBe('s.example');
    expect(of('https://A.example/1', 'https://a.example:443/2')).toBe('a.example');
    expect(of(...redirect_uris)).toBeUndefined();
    expect(of()).toBeUndefined();
    expect(sectorIdentifier({ ...alone, response_types: [] })).toBeUndefined();
  });

  it('distinguishes ports, except for the default port', () => {
    expect(sectorIdentifier({ ...client, sector_identifier_uri: 'https://S.example:8443/x' })).toBe(
      's.example:8443',
    );
    expect(of('https://a.example:8443/1', 'https://a.example:8443/2')).toBe('a.example:8443');
    expect(of('https://a.example/1', 'https://a.example:8443/2')).toBeUndefined();
  });

  it('is undefined for redirect URIs that any client can have', () => {
    for (const uri of ['http://127.0.0.1/cb', 'org.example.app:/cb']) {
      expect(of(uri), uri).toBeUndefined();
      expect(of('https://a.example/cb', uri), uri).toBeUndefined();
    }
  });
});

describe('isInSector', () => {
  it('is true for the host of the sector and the origins of redirect URIs', () => {
    for (const uri of ['https://S.example/out', 'https://a.example/out', 'https://b.example:443/']) {
      expect(isInSector(client, uri), uri).toBe(true);
    }
  });

  // A client could name the redirect URIs of another one, and would learn its subjects there.
  it('is false for everything else', () => {
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
