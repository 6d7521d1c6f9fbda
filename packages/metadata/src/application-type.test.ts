import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { STRICT_METADATA_SETTINGS } from './metadata-settings.js';
import { defaultSupportedMetadata } from './supported-metadata.js';
import { KNOWN_PRIVATE_USE_SCHEMES } from './uris/known-schemes.js';
import { isPrivateUseScheme } from './uris/redirect-uri.js';
import { validateClientMetadata } from './validate-client-metadata.js';

const WEB = 'https://app.example.org/cb';
const KNOWN = { ...STRICT_METADATA_SETTINGS, privateUseSchemes: KNOWN_PRIVATE_USE_SCHEMES };

const registered = (input: JsonObject, settings = KNOWN) =>
  validateClientMetadata(input, defaultSupportedMetadata(), settings);
const typeOf = (...uris: readonly string[]) => registered({ redirect_uris: [...uris] }).application_type;

/** Redirect URIs that lead back to a program on the device. */
const ON_DEVICE = [
  'http://localhost/cb',
  'http://localhost:8787/cb',
  'http://127.0.0.1',
  'HTTP://127.0.0.1:33418/',
  'http://[::1]:1234/cb',
  'org.example.app:/cb',
  'cursor://anysphere.cursor-mcp/oauth/callback',
];

describe('the application type of a registration that does not state it', () => {
  it('is native with any redirect URI on a loopback address or with a private-use scheme, beside https too', () => {
    for (const uri of ON_DEVICE) {
      expect(typeOf(uri), uri).toBe('native');
      expect(typeOf(WEB, uri), uri).toBe('native');
      expect(typeOf(uri, WEB), uri).toBe('native');
    }
  });

  it('is web without one', () => {
    for (const uri of [WEB, 'https://localhost.example.org/cb']) expect(typeOf(uri), uri).toBe('web');
    expect(registered({ grant_types: ['client_credentials'] }).application_type).toBe('web');
    expect(
      registered({ redirect_uris: [WEB], post_logout_redirect_uris: ['https://app.example.org/'] })
        .application_type,
    ).toBe('web');
  });

  it('is web beside an https URI on the local machine, which native clients cannot have', () => {
    const local = { ...KNOWN, allowLoopbackRedirectUris: true };
    const type = (input: JsonObject) => registered(input, local).application_type;
    const loopback = 'http://localhost:3000/cb';
    expect(type({ redirect_uris: [loopback] })).toBe('native');
    expect(type({ redirect_uris: [loopback, 'https://localhost:3000/cb'] })).toBe('web');
    expect(type({ redirect_uris: [loopback], post_logout_redirect_uris: ['https://localhost:3000/'] })).toBe(
      'web',
    );
  });

  it('is never inferred against a stated one', () => {
    expect(() => registered({ redirect_uris: ['http://localhost/cb'], application_type: 'web' })).toThrow(
      /redirect_uris\[0\]: must be an https URI/,
    );
    expect(registered({ redirect_uris: [WEB], application_type: 'native' }).application_type).toBe('native');
  });

  it('leaves the rules of native clients in force', () => {
    const refusal = (...uris: readonly string[]) => {
      expect(() => registered({ redirect_uris: [...uris] }), uris.join()).toThrow(
        expect.objectContaining({ code: 'invalid_redirect_uri' }),
      );
    };
    refusal('cursor://anysphere.cursor-mcp/cb', 'http://app.example.org/cb');
    refusal('http://localhost/cb', 'https://127.0.0.1/cb');
    refusal('http://localhost/cb', 'javascript:alert(1)');
    refusal('unlisted:/cb');
    refusal('http://localhost/cb#fragment');
  });

  it('names PRIVATE_USE_SCHEMES to a client with a scheme that is not listed', () => {
    expect(() => registered({ redirect_uris: ['unlisted:/cb'] })).toThrow(/PRIVATE_USE_SCHEMES/);
  });
});

it('every known scheme is one without a dot that an app can own', () => {
  expect(KNOWN_PRIVATE_USE_SCHEMES.filter((scheme) => !isPrivateUseScheme(scheme))).toEqual([]);
  expect([...KNOWN_PRIVATE_USE_SCHEMES].sort()).toEqual(KNOWN_PRIVATE_USE_SCHEMES);
});
