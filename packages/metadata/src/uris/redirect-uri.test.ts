import { describe, expect, it } from 'vitest';
import { STRICT_METADATA_SETTINGS } from '../metadata-settings.js';
import { isPrivateUseScheme, redirectUriProblem } from './redirect-uri.js';

const strict = STRICT_METADATA_SETTINGS;
const relaxed = { ...strict, allowLoopbackRedirectUris: true };

const isAccepted = (uri: string, applicationType: 'web' | 'native', settings = strict, takesTokens = false) =>
  redirectUriProblem(uri, { applicationType, takesTokens, settings }, ['state']) === undefined;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'].flatMap((host) => [
  `http://${host}/cb`,
  `http://${host}:3000/cb`,
]);

describe('redirect URIs of web clients', () => {
  it('accepts https on other hosts, as it is written', () => {
    for (const uri of [
      'https://app.example.org/cb',
      'https://app.example.org',
      'https://APP.example.org:443/cb',
      'https://app.example.org:8443/cb?tenant=a%2Fb',
      'https://198.51.100.7/cb',
      'https://[2001:db8::1]/cb',
    ]) {
      expect(isAccepted(uri, 'web'), uri).toBe(true);
    }
  });

  it('refuses http, private-use schemes and script schemes', () => {
    for (const uri of [
      'http://app.example.org/cb',
      'org.example.app:/cb',
      'javascript://app.example.org/%0aalert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'ftp://app.example.org/cb',
      'wss://app.example.org/cb',
      'urn:ietf:wg:oauth:2.0:oob',
    ]) {
      expect(isAccepted(uri, 'web'), uri).toBe(false);
    }
  });

  it('refuses loopback hosts, unless the setting allows them', () => {
    for (const uri of [...LOOPBACK, 'https://localhost/cb', 'https://127.0.0.1/cb', 'https://[::1]/cb']) {
      expect(isAccepted(uri, 'web'), uri).toBe(false);
      expect(isAccepted(uri, 'web', relaxed), uri).toBe(true);
    }
    for (const uri of [
      'https://127.0.0.2/cb',
      'https://x.localhost/cb',
      'https://0.0.0.0/cb',
      'https://[::]/cb',
      'https://[::ffff:127.0.0.1]/cb',
      'https://[::ffff:7f00:1]/cb',
      'https://[::ffff:0:0]/cb',
    ]) {
      expect(isAccepted(uri, 'web'), uri).toBe(false);
      expect(isAccepted(uri, 'web', relaxed), uri).toBe(false);
    }
  });

  it('refuses http and localhost with the implicit grant, whatever the setting', () => {
    for (const uri of [...LOOPBACK, 'https://localhost/cb'])
      expect(isAccepted(uri, 'web', relaxed, true), uri).toBe(false);
    for (const uri of ['https://127.0.0.1/cb', 'https://[::1]/cb', 'https://app.example.org/cb'])
      expect(isAccepted(uri, 'web', relaxed, true), uri).toBe(true);
    for (const uri of LOOPBACK) expect(isAccepted(uri, 'native', strict, true), uri).toBe(true);
  });

  it('treats only the exact loopback names as loopback', () => {
    for (const host of [
      'localhost.evil.example',
      'evil-localhost',
      '127.0.0.1.evil.example',
      'localhost.',
      '127.0.0.2',
    ]) {
      for (const type of ['web', 'native'] as const) {
        expect(isAccepted(`http://${host}/cb`, type, relaxed), host).toBe(false);
      }
    }
  });
});

describe('redirect URIs of native clients', () => {
  it('accepts the three forms of RFC 8252 section 7', () => {
    for (const uri of [
      ...LOOPBACK,
      'https://app.example.org/cb',
      'org.example.app:/cb',
      'com.example.app-2://cb',
    ]) {
      expect(isAccepted(uri, 'native'), uri).toBe(true);
    }
  });

  it('refuses http on other hosts, and schemes without a domain name', () => {
    for (const uri of [
      'http://app.example.org/cb',
      'https://localhost/cb',
      'myapp:/cb',
      'myapp://cb',
      'org.:/cb',
      'javascript:/x',
      'data:/x',
      'blob:/x',
      'org.example.app:cb',
    ]) {
      expect(isAccepted(uri, 'native'), uri).toBe(false);
      expect(isAccepted(uri, 'native', relaxed), uri).toBe(false);
    }
  });
});

describe('schemes without a dot', () => {
  const listed = { ...strict, privateUseSchemes: ['myapp', 'web+app'] };
  const problem = (uri: string, applicationType: 'web' | 'native' = 'native', settings = strict) =>
    redirectUriProblem(uri, { applicationType, takesTokens: false, settings }, []);

  it('are accepted for native clients if the setting lists them, and otherwise refused', () => {
    for (const uri of ['myapp:/cb', 'myapp://cb', 'MyApp:/cb?a=b', 'web+app:/cb']) {
      expect(problem(uri), uri).toMatch(/private-use scheme with a dot .*PRIVATE_USE_SCHEMES/);
      expect(problem(uri, 'native', listed), uri).toBeUndefined();
      expect(problem(uri, 'web', listed), uri).toMatch(/^must be an https URI/);
    }
    expect(problem('other:/cb', 'native', listed)).toMatch(/PRIVATE_USE_SCHEMES/);
  });

  it('may not have a fragment, wildcard or added parameters even if they are listed', () => {
    for (const uri of ['myapp:/cb#', 'myapp:/*', 'myapp:cb', 'myapp://user@cb'])
      expect(problem(uri, 'native', listed), uri).toBeDefined();
    const owner = { applicationType: 'native', takesTokens: false, settings: listed } as const;
    expect(redirectUriProblem('myapp:/cb?code=1', owner, ['code'])).toMatch(/query parameter code/);
  });

  it('are never those that browsers and operating systems handle, and their refusal does not name the setting', () => {
    for (const scheme of [
      'javascript',
      'data',
      'file',
      'http',
      'https',
      'blob',
      'intent',
      'tel',
      'view-source',
    ]) {
      expect(isPrivateUseScheme(scheme), scheme).toBe(false);
      expect(problem(`${scheme}:/cb`) ?? 'accepted', scheme).not.toMatch(/PRIVATE_USE_SCHEMES|accepted/);
    }
    for (const text of ['', 'a', 'My', 'org.example', '1app', 'my app', 'my:app', 'm'.repeat(64)])
      expect(isPrivateUseScheme(text), text).toBe(false);
  });
});

describe('all redirect URIs', () => {
  it('refuses fragments, wildcards and encoded slashes', () => {
    for (const end of ['#', '#x', '*', 'a/*', '?x=*', '%2fevil', '%2Fevil', '%5Cevil', '?x#y']) {
      for (const start of ['https://app.example.org/', 'org.example.app:/']) {
        expect(isAccepted(start + end, 'native'), start + end).toBe(false);
      }
    }
    expect(isAccepted('https://*.example.org/', 'web')).toBe(false);
  });
});

describe('query parameters that the server adds', () => {
  const problem = (query: string) =>
    redirectUriProblem(
      `https://app.example.org/cb?${query}`,
      { applicationType: 'web', takesTokens: false, settings: strict },
      ['code', 'state'],
    );

  it('are refused in the URI, even if encoded', () => {
    for (const [query, name] of [
      ['code=1', 'code'],
      ['a=1&state=', 'state'],
      ['state', 'state'],
      ['%63ode=1', 'code'],
    ] as const)
      expect(problem(query)).toBe(`must not have the query parameter ${name}`);
    for (const query of ['', 'codes=1', 'x=code', 'State=1']) expect(problem(query)).toBeUndefined();
  });
});
