import { GRANT_TYPES } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { defaultSupportedMetadata } from '../supported-metadata.js';
import { validateClientMetadata } from '../validate-client-metadata.js';

const REDIRECT = { redirect_uris: ['https://app.example.org/cb'] };
const accept = (input: JsonObject, options = {}) =>
  validateClientMetadata(input, defaultSupportedMetadata(options));
const invalid = expect.objectContaining({ code: 'invalid_client_metadata' });

describe('grant types', () => {
  it('accepts each of the seven', () => {
    for (const grantType of GRANT_TYPES) {
      expect(accept({ ...REDIRECT, grant_types: [grantType] }).grant_types).toEqual([grantType]);
    }
  });

  it('refuses types that cannot be registered here', () => {
    expect(() => accept({ grant_types: ['authorization_code_x'] })).toThrow(invalid);
    expect(() => accept({ grant_types: ['password'] }, { grantTypes: ['client_credentials'] })).toThrow(
      invalid,
    );
  });

  it('refuses client credentials for a client that does not authenticate (RFC 6749 section 4.4)', () => {
    expect(() => accept({ grant_types: ['client_credentials'], token_endpoint_auth_method: 'none' })).toThrow(
      invalid,
    );
  });
});

describe('response types', () => {
  const NEEDED: readonly [string, readonly string[]][] = [
    ['code', ['authorization_code']],
    ['id_token', ['implicit']],
    ['token', ['implicit']],
    ['id_token token', ['implicit']],
    ['code id_token', ['authorization_code', 'implicit']],
    ['code token', ['authorization_code', 'implicit']],
    ['code id_token token', ['authorization_code', 'implicit']],
  ];

  it('require exactly the grant types that begin at the authorization endpoint (RFC 7591 section 2.1)', () => {
    for (const grantTypes of subsetsOf(['authorization_code', 'implicit', 'refresh_token'])) {
      for (const responseTypes of subsetsOf(NEEDED.map(([responseType]) => responseType))) {
        const needed = NEEDED.filter(([responseType]) => responseTypes.includes(responseType));
        const attempt = () => accept({ ...REDIRECT, grant_types: grantTypes, response_types: responseTypes });
        const isConsistent = ['authorization_code', 'implicit'].every(
          (grantType) =>
            needed.some(([, types]) => types.includes(grantType)) === grantTypes.includes(grantType),
        );
        if (isConsistent) expect(attempt().response_types).toEqual(responseTypes);
        else expect(attempt, JSON.stringify({ grantTypes, responseTypes })).toThrow(invalid);
      }
    }
  });

  it('are by default those that the grant types require', () => {
    const DEFAULTS: readonly [readonly string[], readonly string[]][] = [
      [['authorization_code'], ['code']],
      [['implicit'], ['id_token']],
      [
        ['authorization_code', 'implicit'],
        ['code', 'id_token'],
      ],
      [['refresh_token', 'password'], []],
    ];
    for (const [grantTypes, responseTypes] of DEFAULTS)
      expect(accept({ ...REDIRECT, grant_types: [...grantTypes] }).response_types).toEqual(responseTypes);
  });

  it('sorts the words of a response type, whose order has no meaning (RFC 6749 section 3.1.1)', () => {
    const { response_types } = accept({
      ...REDIRECT,
      grant_types: ['implicit'],
      response_types: ['token id_token'],
    });
    expect(response_types).toEqual(['id_token token']);
  });

  it('refuses unknown response types, and those of grants that cannot be registered here', () => {
    for (const responseType of ['none', 'foo', 'code code', '', 'code  token', 'Code']) {
      expect(() => accept({ ...REDIRECT, response_types: [responseType] })).toThrow(invalid);
    }
    const codeOnly = { grantTypes: ['authorization_code'] };
    expect(() => accept({ ...REDIRECT, response_types: ['code token'] }, codeOnly)).toThrow(invalid);
  });

  it('refuses redirect-based response types without redirect URIs', () => {
    for (const missing of [{}, { redirect_uris: [] }, { redirect_uris: null }]) {
      expect(() => accept(missing)).toThrow(expect.objectContaining({ code: 'invalid_redirect_uri' }));
    }
  });

  it('refuses access tokens in the front channel for a client whose tokens are bound (RFC 9449 section 5.2)', () => {
    for (const name of ['dpop_bound_access_tokens', 'tls_client_certificate_bound_access_tokens']) {
      const implicit = { ...REDIRECT, grant_types: ['implicit'], [name]: true };
      expect(() => accept({ ...implicit, response_types: ['id_token token'] }), name).toThrow(invalid);
      expect(accept({ ...implicit, response_types: ['id_token'] })).toMatchObject({ [name]: true });
    }
  });

  it('refuses tokens that are bound to two keys', () => {
    const bound = { dpop_bound_access_tokens: true, tls_client_certificate_bound_access_tokens: true };
    expect(() => accept({ ...REDIRECT, ...bound })).toThrow(invalid);
  });
});

function subsetsOf([first, ...rest]: readonly string[]): string[][] {
  if (first === undefined) return [[]];
  return subsetsOf(rest).flatMap((subset) => [subset, [first, ...subset]]);
}
