import { DomainError } from '@vestibule/protocol';
import { CLIENT_AUTH_METHODS } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { defaultSupportedMetadata } from '../supported-metadata.js';
import { validateClientMetadata } from '../validate-client-metadata.js';

const BASE = { redirect_uris: ['https://app.example.org/cb'] };
const accept = (input: JsonObject, supported = defaultSupportedMetadata()) =>
  validateClientMetadata({ ...BASE, ...input }, supported);
const invalid = expect.objectContaining({ code: 'invalid_client_metadata' });

describe('token_endpoint_auth_method', () => {
  it('must be an enabled method', () => {
    expect(() => accept({ token_endpoint_auth_method: 'client_secret' })).toThrow(invalid);
    const basicOnly = defaultSupportedMetadata({ authMethods: ['client_secret_basic'] });
    for (const method of CLIENT_AUTH_METHODS.slice(1)) {
      expect(() => accept({ token_endpoint_auth_method: method }, basicOnly)).toThrow(invalid);
    }
  });
});

describe('contacts', () => {
  it('may be any non-empty text (RFC 7591 section 2)', () => {
    const contacts = [
      'ops@example.org',
      'Ops team, +1 555 0100',
      'https://example.org/contact',
      'ops@bücher.example',
      'پشتیبانی می\u200cکند',
      'x'.repeat(2048),
    ];
    expect(accept({ contacts })).toMatchObject({ contacts });
  });

  it('are refused if empty, too long or deceptive, and the refusal names the faulty one', () => {
    const rule = (contact: string) => {
      try {
        accept({ contacts: ['ops@example.org', contact] });
      } catch (error) {
        return error instanceof DomainError ? error.description : error;
      }
      return undefined;
    };
    expect(rule('')).toBe('contacts[1]: must not be empty');
    expect(rule(' ')).toBe('contacts[1]: must not be empty');
    expect(rule('x'.repeat(2049))).toBe('contacts[1]: must be a string of at most 2048 characters');
    expect(rule('a\u202eb')).toBe(
      'contacts[1]: must not contain control, invisible or text-reordering characters',
    );
  });
});

describe('the subject of a client certificate', () => {
  const SUBJECTS: readonly [string, readonly string[], readonly string[]][] = [
    ['tls_client_auth_subject_dn', ['CN=client,O=Example,C=BG', '2.5.4.3=client'], ['client', '', '=x']],
    [
      'tls_client_auth_san_dns',
      ['client.example.org', '*.example.org', 'host'],
      ['', 'a..b', 'a b', '-a', `${'a.'.repeat(200)}b`],
    ],
    [
      'tls_client_auth_san_uri',
      ['https://client.example.org/id', 'spiffe://example.org/x'],
      ['client', 'javascript:x'],
    ],
    [
      'tls_client_auth_san_ip',
      ['192.0.2.7', '2001:db8::7', '::1'],
      ['192.0.2', '192.0.2.256', '1.2.3.4.5', 'g::', '0x7f.1'],
    ],
    ['tls_client_auth_san_email', ['client@example.org'], ['client']],
  ];
  const method = { token_endpoint_auth_method: 'tls_client_auth' };

  it('is required in exactly one form (RFC 8705 section 2.1.2)', () => {
    expect(() => accept(method)).toThrow(invalid);
    for (const [name, [good]] of SUBJECTS) {
      expect(accept({ ...method, [name]: good ?? null })).toMatchObject({ [name]: good });
      const [other] = SUBJECTS.filter(([otherName]) => otherName !== name);
      expect(() =>
        accept({ ...method, [name]: good ?? null, [other?.[0] ?? '']: other?.[1][0] ?? null }),
      ).toThrow(invalid);
    }
  });

  it('must have the syntax of its member', () => {
    for (const [name, good, bad] of SUBJECTS) {
      for (const value of good) expect(accept({ ...method, [name]: value })).toMatchObject({ [name]: value });
      for (const value of bad) expect(() => accept({ ...method, [name]: value }), value).toThrow(invalid);
    }
  });

  it('is left out for every other method', () => {
    expect(accept({ tls_client_auth_san_ip: 'x', tls_client_auth_subject_dn: 'CN=x' })).toStrictEqual(
      accept({}),
    );
  });
});

describe('resource_identifiers', () => {
  it('must be absolute URIs without fragment (RFC 8707 section 2), kept as they are written', () => {
    const resource_identifiers = [
      'https://api.example.org',
      'https://api.example.org/v1/',
      'http://localhost:3000/mcp?tenant=1',
      'api://0d6e2bd1',
      'urn:example:api:1',
    ];
    expect(accept({ resource_identifiers })).toMatchObject({ resource_identifiers });
    for (const identifier of [
      '',
      'api',
      '/api',
      'api.example.org',
      'https://api.example.org/#x',
      'https://api.example.org;x/',
      'https://u@api.example.org/',
      'https://api.example.org/a b',
      'urn:x',
      'urn:example:a b',
      'urn:example:a#b',
      'org.example.app:/cb',
    ])
      expect(() => accept({ resource_identifiers: ['https://ok.example', identifier] }), identifier).toThrow(
        expect.objectContaining({ description: expect.stringMatching(/^resource_identifiers\[1\]: /) }),
      );
  });
});

describe('two resource identifiers', () => {
  it('are refused with more than one trailing slash, so that no identifier matches another one', () => {
    for (const identifier of [
      'https://api.example.org//',
      'https://api.example.org/v1//',
      'https://api.example.org/?tenant=//',
      'urn:example:api//',
    ])
      expect(() => accept({ resource_identifiers: [identifier] }), identifier).toThrow(
        expect.objectContaining({
          description: 'resource_identifiers[0]: must not end in more than one slash',
        }),
      );
  });
});

describe('scope', () => {
  it('follows the grammar of RFC 6749 section 3.3 and counts repeated values once', () => {
    expect(accept({ scope: 'openid email openid' }).scope).toBe('openid email');
    expect(accept({ scope: '' })).not.toHaveProperty('scope');
    for (const scope of [' openid', 'openid ', 'a  b', 'a"b', 'a\\b', 'é', 'a\tb']) {
      expect(() => accept({ scope }), scope).toThrow(invalid);
    }
  });
});

describe('subject types', () => {
  it('must be supported', () => {
    expect(accept({ subject_type: 'pairwise' }).subject_type).toBe('pairwise');
    expect(() => accept({ subject_type: 'private' })).toThrow(invalid);
  });

  it('require a sector of the client if they are pairwise (OpenID Connect Core 1.0 section 8.1)', () => {
    const pairwise = { subject_type: 'pairwise' };
    const sector = { sector_identifier_uri: 'https://app.example.org/sector.json' };
    for (const [application_type, redirect_uris] of [
      ['web', ['https://a.example/cb', 'https://b.example/cb']],
      ['web', ['https://a.example/cb', 'https://a.example:8443/cb']],
      ['native', ['org.example.app:/cb']],
      ['native', ['http://127.0.0.1/cb']],
      ['native', ['https://a.example/cb', 'org.example.app:/cb']],
    ] as const) {
      const client = { ...pairwise, application_type, redirect_uris };
      expect(() => accept(client), redirect_uris.join()).toThrow(invalid);
      expect(accept({ ...client, ...sector }), redirect_uris.join()).toMatchObject(sector);
    }
    expect(
      accept({ ...pairwise, redirect_uris: ['https://a.example:8443/1', 'https://A.example:8443/2'] }),
    ).toBeDefined();
    expect(accept({ ...pairwise, redirect_uris: [], grant_types: ['client_credentials'] })).toBeDefined();
  });
});

describe('other members with fixed values', () => {
  it('accept no other values', () => {
    expect(accept({ client_registration_types: ['explicit', 'automatic'] })).toHaveProperty(
      'client_registration_types',
    );
    expect(() => accept({ client_registration_types: ['manual'] })).toThrow(invalid);
    expect(() => accept({ application_type: 'browser' })).toThrow(invalid);
  });

  it('ignores authorization details types if the server supports none (RFC 9396 section 10)', () => {
    expect(accept({ authorization_details_types: ['payment'] })).not.toHaveProperty(
      'authorization_details_types',
    );
    const paying = { ...defaultSupportedMetadata(), authorizationDetailsTypes: ['payment'] };
    const types = { authorization_details_types: ['payment'] };
    expect(accept(types, paying)).toMatchObject(types);
    expect(() => accept({ authorization_details_types: ['other'] }, paying)).toThrow(invalid);
  });

  it('keeps a software statement unchanged if it has the form of one', () => {
    expect(accept({ software_statement: 'e30.e30.c2ln' }).software_statement).toBe('e30.e30.c2ln');
    for (const statement of ['', 'e30.e30.', 'e30.e30', 'e30.e30.c2ln.x', 'a b.c.d']) {
      expect(() => accept({ software_statement: statement })).toThrow(invalid);
    }
  });
});
