import { DomainError } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { STRICT_METADATA_SETTINGS } from '../metadata-settings.js';
import { defaultSupportedMetadata } from '../supported-metadata.js';
import { validateClientMetadata } from '../validate-client-metadata.js';

const REDIRECT = { redirect_uris: ['https://app.example.org/cb'] };
const SUPPORTED = defaultSupportedMetadata();
const accept = (input: JsonObject, settings = STRICT_METADATA_SETTINGS) =>
  validateClientMetadata({ ...REDIRECT, ...input }, SUPPORTED, settings);
const refusal = expect.objectContaining({
  code: expect.stringMatching(/^invalid_(redirect_uri|client_metadata)$/),
});

const URI_MEMBERS: readonly ((uri: string) => JsonObject)[] = [
  (uri) => ({ redirect_uris: [uri] }),
  (uri) => ({ redirect_uris: [uri], application_type: 'native' }),
  (uri) => ({ post_logout_redirect_uris: [uri] }),
  (uri) => ({ post_logout_redirect_uris: [uri], application_type: 'native' }),
  ...[
    'client_uri',
    'logo_uri',
    'policy_uri',
    'tos_uri',
    'client_uri#de',
    'logo_uri#de',
    'policy_uri#de',
    'tos_uri#de',
    'sector_identifier_uri',
    'jwks_uri',
    'initiate_login_uri',
    'frontchannel_logout_uri',
    'backchannel_logout_uri',
  ].map((name) => (uri: string) => ({ [name]: uri })),
  (uri) => ({ request_uris: [uri] }),
  (uri) => ({ token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_san_uri: uri }),
];

// A stored script URL runs in the origin of a page that shows it as a link.
const SCRIPTS = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'jAvAsCrIpT:alert(1)',
  'javascript://app.example.org/%0aalert(1)',
  'javascript:/app.example.org',
  ' javascript:alert(1)',
  '\tjavascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'javascript\t:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript&colon;alert(1)',
  'javascript%3Aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:text/html;base64,PHNjcmlwdD4=',
  'vbscript:msgbox(1)',
  'VbScript:msgbox(1)',
  'blob:https://app.example.org/1',
  'file:///etc/passwd',
  'about:blank',
  'view-source:https://app.example.org/',
  'filesystem:https://app.example.org/x',
  'ftp://app.example.org/',
  'gopher://app.example.org/',
  'ws://app.example.org/',
  'mailto:a@app.example.org',
  '//app.example.org/cb',
  '/cb',
  'https:javascript:alert(1)',
];

describe('members that hold URIs', () => {
  it('refuse every scheme except the permitted ones', () => {
    for (const member of URI_MEMBERS) {
      for (const uri of SCRIPTS)
        expect(() => accept(member(uri)), `${Object.keys(member(uri))} ${uri}`).toThrow(refusal);
    }
  });

  it('refuse user names and dot segments', () => {
    for (const member of URI_MEMBERS) {
      for (const uri of [
        'https://a@app.example.org/cb',
        'https://app.example.org/../cb',
        'https://app.example.org/%00',
      ]) {
        expect(() => accept(member(uri)), uri).toThrow(refusal);
      }
    }
  });
});

describe('URLs that the server fetches', () => {
  const secure = ['sector_identifier_uri', 'jwks_uri', 'initiate_login_uri', 'backchannel_logout_uri'];

  it('must be https without fragment', () => {
    for (const name of secure) {
      expect(accept({ [name]: 'https://app.example.org/x?y=1' })).toMatchObject({
        [name]: 'https://app.example.org/x?y=1',
      });
      for (const uri of [
        'http://app.example.org/x',
        'https://app.example.org/x#y',
        'https://app.example.org/x#',
      ]) {
        expect(() => accept({ [name]: uri }), uri).toThrow(refusal);
      }
    }
  });

  it('may be http on the listed hosts, and on no others', () => {
    const settings = { ...STRICT_METADATA_SETTINGS, egressAllowHosts: ['127.0.0.1:3000', 'Jwks.Test'] };
    for (const name of secure) {
      for (const uri of ['http://127.0.0.1:3000/x', 'http://jwks.test/x', 'http://jwks.test:8080/x']) {
        expect(accept({ [name]: uri }, settings)).toMatchObject({ [name]: uri });
      }
      for (const uri of [
        'http://127.0.0.1:3001/x',
        'http://127.0.0.1/x',
        'http://x.jwks.test/',
        'ftp://jwks.test/',
      ]) {
        expect(() => accept({ [name]: uri }, settings), uri).toThrow(refusal);
      }
    }
  });

  it('are refused with the name of the setting if they are http on a loopback host', () => {
    const settings = { ...STRICT_METADATA_SETTINGS, egressAllowHosts: ['127.0.0.1:3000'] };
    for (const name of secure) {
      for (const uri of ['http://localhost:8080/x', 'http://127.0.0.1:3001/x', 'http://[::1]/x'])
        expect(() => accept({ [name]: uri }, settings), uri).toThrow(
          'must be an https URL; loopback hosts that may be http must be listed in EGRESS_ALLOW_HOSTS of the server',
        );
      for (const uri of ['http://app.example.org/x', 'ftp://localhost/x'])
        expect(() => accept({ [name]: uri }, settings), uri).toThrow(/must be an https URL\.?$/);
    }
  });

  it('may be http on a listed host in any notation, and the list accepts only hosts', () => {
    const listing = (host: string) => ({ ...STRICT_METADATA_SETTINGS, egressAllowHosts: [host] });
    const metadata = { jwks_uri: 'http://[::1]:3000/x' };
    for (const host of ['[::1]', '[0:0::1]:3000', '[::0001]:3000'])
      expect(accept(metadata, listing(host)), host).toMatchObject(metadata);
    for (const host of ['http://[::1]:3000', '[::1]:0', '*'])
      expect(() => accept(metadata, listing(host)), host).toThrow(TypeError);
  });

  it('may have the digest of a request object as fragment (OpenID Connect Core 1.0 section 6.2)', () => {
    const request_uris = ['https://app.example.org/request.jwt#GkurKxf5T0Y-mnPFCHqWOMiZi4VS138cQO_V7PZHAdM'];
    expect(accept({ request_uris })).toMatchObject({ request_uris });
    expect(() => accept({ request_uris: ['http://app.example.org/request.jwt'] })).toThrow(refusal);
  });
});

describe('URLs that end-users see', () => {
  it('must be web pages', () => {
    for (const uri of ['http://app.example.org/terms', 'https://app.example.org/terms#privacy']) {
      expect(accept({ tos_uri: uri, 'tos_uri#de': uri })).toMatchObject({ tos_uri: uri, 'tos_uri#de': uri });
    }
    expect(() => accept({ tos_uri: 'https://app.example.org/', 'tos_uri#de': 'terms' })).toThrow(refusal);
  });
});

describe('frontchannel_logout_uri', () => {
  it('must have scheme, host and port of a redirect URI (OpenID Connect Front-Channel Logout 1.0 section 2)', () => {
    const uri = 'https://app.example.org:443/logout?x=1';
    expect(accept({ frontchannel_logout_uri: uri })).toMatchObject({ frontchannel_logout_uri: uri });
    for (const other of [
      'http://app.example.org/logout',
      'https://app.example.org:8443/logout',
      'https://example.org/logout',
      'https://app.example.org.evil.example/logout',
      'https://app.example.org/logout#x',
    ]) {
      expect(() => accept({ frontchannel_logout_uri: other }), other).toThrow(refusal);
    }
    const native = { application_type: 'native', redirect_uris: ['org.example.app:/cb'] };
    expect(accept({ ...native, frontchannel_logout_uri: 'org.example.app:/logout' })).toBeDefined();
    expect(() => accept({ ...native, frontchannel_logout_uri: 'org.example.other:/logout' })).toThrow(
      refusal,
    );
  });
});

describe('post_logout_redirect_uris', () => {
  it('obeys the rules of redirect URIs, with the error code of other members', () => {
    const invalid = expect.objectContaining({ code: 'invalid_client_metadata' });
    expect(() => accept({ post_logout_redirect_uris: ['http://app.example.org/bye'] })).toThrow(invalid);
    const uris = { post_logout_redirect_uris: ['https://app.example.org/bye?x=1'] };
    expect(accept(uris)).toMatchObject(uris);
  });
});

describe('hosts in members that hold URIs', () => {
  const inAuthority = (host: string) => `https://${host}/cb`;

  it('must be names of letters, digits and hyphens, punycode, IPv4 or bracketed IPv6', () => {
    for (const host of ['xn--bcher-kva.example', '192.0.2.1', '[2001:db8::1]', 'a--b.example']) {
      for (const member of URI_MEMBERS) {
        const metadata = member(inAuthority(host));
        const beside = { redirect_uris: [inAuthority(host)], ...metadata };
        expect(accept(beside), JSON.stringify(metadata)).toMatchObject(metadata);
      }
    }
  });

  // The URL standard and RFC 3986 accept them all, but each would end or change a source of a Content-Security-Policy.
  it('are refused in every other form that URL parsers accept', () => {
    for (const host of [
      'e.example;sandbox',
      "e.example'",
      "'self'",
      'e,x.example',
      'a_b.example',
      'a!b.example',
      'a$b.example',
      'a&b.example',
      'a(b).example',
      'a+b.example',
      'a=b.example',
      'a~b.example',
      '-a.example',
      'a-.example',
      'a..example',
      `${'a'.repeat(64)}.example`,
    ]) {
      for (const member of URI_MEMBERS) {
        const metadata = member(inAuthority(host));
        expect(() => accept(metadata), JSON.stringify(metadata)).toThrow(
          expect.objectContaining({
            description: expect.stringMatching(/must have a host of letters|such a certificate subject/),
          }),
        );
      }
    }
  });
});

describe('a refusal of a URI', () => {
  const problem = (uris: readonly string[], member = 'redirect_uris') => {
    try {
      accept({ [member]: uris });
    } catch (error) {
      if (error instanceof DomainError) return [error.code, error.description];
      throw error;
    }
    return undefined;
  };

  it('names the index in the request and the problem', () => {
    const good = 'https://app.example.org/cb';
    const host =
      'must have a host of letters, digits, hyphens and dots, an IPv4 address or an IPv6 address in brackets';
    for (const [uri, rule] of [
      [`https://app.example.org/${'x'.repeat(2048)}`, 'must be a string of at most 2048 characters'],
      ['https://a.example/\u0007', 'must not contain control, invisible or text-reordering characters'],
      ['https://a.example/\tx', 'must not contain control, invisible or text-reordering characters'],
      ['https://a.example/é', 'must not have control characters, spaces or non-ASCII characters'],
      ['https://a.example/a b', 'must not have control characters, spaces or non-ASCII characters'],
      ['/cb', 'must be an absolute URI'],
      ['app.example:cb', 'must have a host, or a path that begins with a slash'],
      ['https://e.example;sandbox/cb', host],
      ['https://[::1/cb', host],
      ['https://u@a.example/cb', 'must not have a user name'],
      ['https://a.example:99999/', 'must have a port from 1 to 65535, or none'],
      ['https://a.example:0443/', 'must have a port from 1 to 65535, or none'],
      ['https://a.example/../cb', 'must not have . or .. as a path segment'],
      ['https://a.example/%00', 'must not have percent-encoded control characters'],
      ['https://a.example/<x>', 'must percent-encode characters that a URI does not allow'],
      ['https://[0:0::1]/cb', 'must be a URI that all parsers read alike'],
      ['https://a.example/cb#x', 'must not have a fragment'],
      ['https://a.example/*', 'must not have a wildcard or an encoded slash'],
      ['http://a.example/', 'must be an https URI on a public host for a web client'],
    ] as const) {
      // A repeated element counts, so that the index is the one of the request.
      expect(problem([good, good, uri]), uri).toEqual(['invalid_redirect_uri', `redirect_uris[2]: ${rule}`]);
      expect(problem([good, uri], 'post_logout_redirect_uris'), uri).toEqual([
        'invalid_client_metadata',
        `post_logout_redirect_uris[1]: ${rule}`,
      ]);
    }
    expect(problem([good, 'http://a.example/'], 'request_uris')?.[1]).toContain(
      'request_uris[1]: must be an',
    );
  });

  it('has the error code for redirect URIs whatever is wrong with them (RFC 7591 section 3.2.2)', () => {
    for (const value of ['https://a.example/', [1], [null], Array(101).fill('https://a.example/'), {}, []])
      expect(() => accept({ redirect_uris: value }), JSON.stringify(value)).toThrow(
        expect.objectContaining({ code: 'invalid_redirect_uri' }),
      );
    expect(problem([1] as unknown as string[])?.[1]).toContain('redirect_uris[0]: must be a string');
  });

  it('names the member with its language tag', () => {
    expect(() => accept({ 'tos_uri#de-AT': 'terms' })).toThrow(
      expect.objectContaining({
        description: 'tos_uri#de-AT: must be an absolute URI',
      }),
    );
  });
});
