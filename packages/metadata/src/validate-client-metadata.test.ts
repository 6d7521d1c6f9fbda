import { DomainError } from '@vestibule/protocol';
import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MEMBER_NAMES } from './metadata-schema.js';
import { orderMetadata } from './order-metadata.js';
import { defaultSupportedMetadata } from './supported-metadata.js';
import { validateClientMetadata } from './validate-client-metadata.js';

const SUPPORTED = defaultSupportedMetadata();
const REDIRECT = { redirect_uris: ['https://app.example.org/cb'] };
const CREDENTIALS = { grant_types: ['client_credentials'] };

const accept = (input: JsonObject) => validateClientMetadata(input, SUPPORTED);

function refusal(input: JsonObject): DomainError {
  try {
    accept(input);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(input)}`);
}

describe('defaults', () => {
  it('fills in those of RFC 7591 and OpenID Connect for a client with only redirect URIs', () => {
    expect(accept(REDIRECT)).toStrictEqual({
      ...REDIRECT,
      response_types: ['code'],
      grant_types: ['authorization_code'],
      application_type: 'web',
      subject_type: 'public',
      token_endpoint_auth_method: 'client_secret_basic',
      tls_client_certificate_bound_access_tokens: false,
      dpop_bound_access_tokens: false,
      require_pushed_authorization_requests: false,
      require_signed_request_object: false,
      id_token_signed_response_alg: 'RS256',
      require_auth_time: false,
    });
  });

  it('sets no response type for a client that does not use the authorization endpoint', () => {
    expect(accept(CREDENTIALS).response_types).toEqual([]);
    expect(accept({ grant_types: [], token_endpoint_auth_method: 'none' }).response_types).toEqual([]);
  });

  it('sets an implicit response type and no authentication for a client with only the implicit grant', () => {
    expect(accept({ ...REDIRECT, grant_types: ['implicit'] })).toMatchObject({
      response_types: ['id_token'],
      token_endpoint_auth_method: 'none',
    });
  });

  it('sets A128CBC-HS256 for content encryption if only the key management is given', () => {
    const metadata = accept({
      ...REDIRECT,
      userinfo_encrypted_response_alg: 'RSA-OAEP-256',
      jwks_uri: 'https://a.example/k',
    });
    expect(metadata['userinfo_encrypted_response_enc']).toBe('A128CBC-HS256');
  });

  it('sets whether logout requires a session only if logout is registered', () => {
    expect(accept({ ...REDIRECT, backchannel_logout_session_required: true })).not.toHaveProperty(
      'backchannel_logout_session_required',
    );
    expect(accept({ ...REDIRECT, backchannel_logout_uri: 'https://a.example/out' })).toMatchObject({
      backchannel_logout_session_required: false,
    });
  });
});

describe('members', () => {
  it('leaves out unknown members, and treats null as absent', () => {
    const metadata = accept({
      ...REDIRECT,
      favourite_colour: 'blue',
      client_name: null,
      jwks: null,
      'client_name#de': null,
    });
    expect(metadata).toStrictEqual(accept(REDIRECT));
  });

  it('keeps one order, whatever the order of the request', () => {
    const forwards = {
      ...REDIRECT,
      client_name: 'Shop',
      'client_name#de': 'Laden',
      'client_name#bg': 'Магазин',
    };
    const backwards = Object.fromEntries(Object.entries(forwards).reverse());
    expect(JSON.stringify(accept(backwards))).toBe(JSON.stringify(accept(forwards)));
    const stored = Object.fromEntries(Object.entries(accept(forwards)).sort()) as ReturnType<typeof accept>;
    expect(JSON.stringify(orderMetadata(stored))).toBe(JSON.stringify(accept(forwards)));
  });

  it('keeps language-tagged texts and URLs beside the untagged ones (RFC 7591 section 2.2)', () => {
    const tagged = { 'client_name#ja-Jpan-JP': 'クライアント名', 'tos_uri#fr': 'https://app.example.org/fr' };
    expect(accept({ ...REDIRECT, ...tagged })).toMatchObject(tagged);
  });

  it('refuses two texts for one language, whose tag is case-insensitive (RFC 5646 section 2.1.1)', () => {
    const names = { 'client_name#de-AT': 'Laden', 'client_name#DE-at': 'Greißlerei' };
    expect(refusal({ ...REDIRECT, ...names }).description).toContain('twice in one language');
    expect(accept({ ...REDIRECT, ...names, 'client_name#DE-at': null })).toMatchObject({
      'client_name#de-AT': 'Laden',
    });
  });

  it('refuses empty names', () => {
    for (const name of ['client_name', 'client_name#de'])
      expect(refusal({ ...REDIRECT, [name]: '' }).description).toContain('1 to 2048 characters');
  });

  it('ignores tags on members that are not translatable, and malformed tags', () => {
    for (const name of [
      'scope#de',
      'client_name#',
      'client_name#de#fr',
      'client_name#_',
      '#de',
      'redirect_uris#de',
    ]) {
      expect(accept({ ...REDIRECT, [name]: 'x' })).toStrictEqual(accept(REDIRECT));
    }
  });

  it('keeps a repeated element once', () => {
    expect(
      accept({ redirect_uris: ['https://a.example/', 'https://a.example/'] }).redirect_uris,
    ).toHaveLength(1);
  });

  it('refuses every member of a wrong type', () => {
    const wrong: JsonValue[] = [
      1.5,
      -1,
      { a: 1 },
      [1],
      [null],
      [['a']],
      '\u0000',
      [{}],
      ['\ud800'],
      'a'.repeat(20_000),
    ];
    for (const name of MEMBER_NAMES) {
      const refused = wrong.filter((value) => !isOfTheType(name, value));
      for (const value of refused)
        expect(refusal({ ...REDIRECT, [name]: value }).description).toContain(name);
    }
  });

  it('refuses more elements than a member may have', () => {
    const uris = (count: number) => Array.from({ length: count }, (_, i) => `https://a.example/${i}`);
    expect(refusal({ redirect_uris: uris(101) }).description).toContain('redirect_uris');
    expect(refusal({ ...REDIRECT, request_uris: uris(11) }).description).toContain('request_uris');
    expect(accept({ redirect_uris: uris(100), request_uris: uris(10) })).toBeDefined();
    const translations = uris(101).map((uri, i) => [`client_uri#x-${i}`, uri]);
    expect(refusal({ ...REDIRECT, ...Object.fromEntries(translations) }).description).toContain('client_uri');
  });

  // End-users see these names when they decide whether to trust a client (RFC 7591 section 5).
  it('refuses control, bidirectional and zero-width characters in texts', () => {
    for (const code of [
      0x00, 0x0a, 0x1b, 0x7f, 0x85, 0xad, 0x61c, 0x200b, 0x200e, 0x202e, 0x2028, 0x2066, 0xfeff, 0xe0041,
    ]) {
      const text = `Bank${String.fromCodePoint(code)}`;
      for (const name of ['client_name', 'client_name#de', 'software_id', 'software_version', 'scope']) {
        expect(refusal({ ...REDIRECT, [name]: text }).code).toBe('invalid_client_metadata');
      }
      expect(refusal({ ...REDIRECT, contacts: [`a${text}@a.example`] }).code).toBe('invalid_client_metadata');
    }
    for (const name of ['Café Ñandú', 'Магазин', '店', 'متجر', 'Shop 🛒']) {
      expect(accept({ ...REDIRECT, client_name: name })['client_name']).toBe(name);
    }
  });
});

describe('any request', () => {
  const members = fc.dictionary(
    fc.oneof(fc.constantFrom(...MEMBER_NAMES), fc.constantFrom('client_name#de', '__proto__', 'x')),
    fc.oneof(
      fc.jsonValue(),
      fc.webUrl(),
      fc.constantFrom(
        'none',
        'HS512',
        'RS256',
        'dir',
        'native',
        'pairwise',
        'private_key_jwt',
        'code id_token',
      ),
      fc.array(
        fc.oneof(fc.webUrl(), fc.constantFrom('implicit', 'token', 'code', 'https://app.example.org/cb')),
      ),
    ),
  );
  const request = members.map((some) => ({ ...REDIRECT, ...some }) as JsonObject);

  it('is accepted, or refused with a description that is safe in a response and repeats no value', () => {
    fc.assert(
      fc.property(request, (input) => {
        try {
          accept(input);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          expect(error.description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
          expect(['invalid_redirect_uri', 'invalid_client_metadata']).toContain(error.code);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('returns metadata that is accepted again and stays the same', () => {
    fc.assert(
      fc.property(request, (input) => {
        let metadata: JsonObject;
        try {
          metadata = accept(input);
        } catch {
          return;
        }
        expect(accept(metadata)).toStrictEqual(metadata);
      }),
      { numRuns: 2000 },
    );
  });

  it('never repeats a value of the request in a refusal', () => {
    const canary = 'CanaryValue';
    for (const name of MEMBER_NAMES) {
      for (const value of [canary, [canary], { [canary]: canary }]) {
        try {
          accept({ ...REDIRECT, [name]: value });
        } catch (error) {
          expect(String(error)).not.toContain(canary);
        }
      }
    }
  });
});

function isOfTheType(name: string, value: JsonValue): boolean {
  return name === 'jwks' && typeof value === 'object' && !Array.isArray(value);
}
