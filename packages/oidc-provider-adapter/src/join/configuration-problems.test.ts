import { describe, expect, it } from 'vitest';
import { configurationProblems } from './configuration-problems.js';
import type { LibraryConfiguration } from './library-configuration.js';

const ENDPOINTS = {
  registration: 'https://as.example/id/clients',
  introspection: 'https://as.example/id/token/introspect',
  logout: 'https://as.example/id/logout',
};

const problemsOf = (configuration: LibraryConfiguration) => configurationProblems(configuration, ENDPOINTS);

describe('the configuration of a joined provider', () => {
  it('has no problems as the documentation of the library shows it', () => {
    const configuration = {
      clients: [],
      cookies: {
        keys: ['secret'],
        names: { session: 'sso' },
        long: { signed: true, sameSite: 'lax', path: '/' },
      },
      features: {
        devInteractions: { enabled: false },
        deviceFlow: { enabled: true },
        revocation: { enabled: true },
      },
      scopes: ['openid', 'offline_access', 'read'],
    };
    expect(problemsOf(configuration)).toEqual([]);
  });

  it.each(['adapter', 'jwks', 'clients'])('must not set %s, and the remedy is named', (member) => {
    const problems = problemsOf({ [member]: member === 'clients' ? [{ client_id: 'shop' }] : {} });
    expect(problems).toEqual([
      expect.stringMatching(new RegExp(`^${member}: must not be set, .*[Rr]emove it`)),
    ]);
  });

  it.each([
    'rpInitiatedLogout',
    'introspection',
    'jwtIntrospection',
    'registration',
    'registrationManagement',
    'clientIdMetadataDocument',
  ])('must not enable features.%s, and the address that replaces it is named', (feature) => {
    expect(problemsOf({ features: { [feature]: { enabled: true } } })).toEqual([
      expect.stringMatching(
        new RegExp(`^features\\.${feature}: must not be enabled, .*https://as\\.example/id/.* Remove it\\.$`),
      ),
    ]);
    expect(problemsOf({ features: { [feature]: { enabled: false } } })).toEqual([]);
  });

  it('must not disable the feature that puts sid into ID tokens', () => {
    expect(problemsOf({ features: { backchannelLogout: { enabled: false } } })).toEqual([
      expect.stringMatching(/^features\.backchannelLogout: must be enabled, .*`sid`/),
    ]);
  });

  it.each([
    [{ path: '/id/auth' }, 'cookies.long.path: must cover /id/logout'],
    [{ path: '/i' }, 'cookies.long.path: must cover /id/logout'],
    [{ sameSite: 'strict' }, 'cookies.long.sameSite: must not be strict'],
    [{ sameSite: true }, 'cookies.long.sameSite: must not be strict'],
  ] as const)('must let browsers send the session cookie to the logout page: %j', (long, problem) => {
    expect(problemsOf({ cookies: { long } })).toEqual([expect.stringContaining(problem)]);
  });

  it.each(['/', '/id', '/id/', '/id/logout'])('may have the cookie path %s', (path) => {
    expect(problemsOf({ cookies: { long: { path } } })).toEqual([]);
  });

  it('gets every problem at once', () => {
    const features = { rpInitiatedLogout: { enabled: true }, backchannelLogout: { enabled: false } };
    expect(
      problemsOf({ jwks: { keys: [] }, features, cookies: { long: { sameSite: 'strict' } } }),
    ).toHaveLength(4);
  });
});
