import { describe, expect, it } from 'vitest';
import type { AgreedSettings, LogoutAgreement, ProcessSettings } from './agreed-settings.js';
import { settingsConflicts } from './settings-conflicts.js';

const ISSUER = 'https://as.example';
const AGREED: LogoutAgreement = {
  sessionCookie: { name: '_session', path: '/', sameSite: 'lax' },
  logoutPath: '/logout',
};

const process = (program: string, settings: Partial<AgreedSettings> = {}): ProcessSettings => ({
  program,
  settings: { issuer: ISSUER, ...settings },
});
const joined = (agreement: Partial<LogoutAgreement> = {}, issuer = ISSUER) =>
  process('node-oidc-provider', { issuer, provider: { ...AGREED, ...agreement, isJoined: true } });
const builtIn = (agreement: Partial<LogoutAgreement> = {}) =>
  process('authorization', { provider: { ...AGREED, ...agreement, isJoined: false } });
const page = (agreement: Partial<LogoutAgreement> = {}) =>
  process('logout', { logout: { ...AGREED, ...agreement } });
const withCookie = (change: Partial<LogoutAgreement['sessionCookie']>) => ({
  sessionCookie: { ...AGREED.sessionCookie, ...change },
});

describe('the settings of processes over one database', () => {
  it('have no conflict when they are the same', () => {
    const all = [joined(), page(), process('registration'), process('introspection')];
    for (const own of all) expect(settingsConflicts(own, all)).toEqual([]);
    expect(settingsConflicts(builtIn(), [page(), process('registration'), builtIn()])).toEqual([]);
  });

  it('must have one issuer: a provider names the service, a service its own setting', () => {
    const other = process('introspection', { issuer: 'http://localhost:8080' });
    expect(settingsConflicts(joined(), [other, page()])).toEqual([
      'introspection runs with BASE_URL=http://localhost:8080, but the issuer of this provider is https://as.example: set BASE_URL=https://as.example for introspection.',
    ]);
    expect(settingsConflicts(other, [joined()])).toEqual([
      'BASE_URL is http://localhost:8080, but node-oidc-provider, the OpenID provider on this database, has the issuer https://as.example: set BASE_URL=https://as.example.',
    ]);
    expect(settingsConflicts(other, [process('registration')])).toEqual([
      expect.stringContaining('a database belongs to one issuer'),
    ]);
  });

  it('must have one OpenID provider: the setting that turns ours off is named on both sides', () => {
    expect(settingsConflicts(joined(), [builtIn()])).toEqual([
      expect.stringMatching(
        /^authorization is an OpenID provider too.*OPENID_PROVIDER_ENABLED=false for authorization\.$/,
      ),
    ]);
    expect(settingsConflicts(builtIn(), [joined()])).toEqual([
      expect.stringMatching(
        /^node-oidc-provider on the same database .*set OPENID_PROVIDER_ENABLED=false\.$/,
      ),
    ]);
  });

  it.each([
    [{ name: 'vestibule_session' }, 'set SESSION_COOKIE_NAME=_session for logout'],
    [{ path: '/sso' }, 'set SESSION_COOKIE_PATH=/ for logout'],
    [{ domain: 'as.example' }, 'unset SESSION_COOKIE_DOMAIN for logout'],
    [{ sameSite: 'none' }, 'set SESSION_COOKIE_SAME_SITE=lax for logout'],
  ] as const)('must name the session cookie of the provider for the logout page: %j', (change, remedy) => {
    const wrong = page(withCookie(change));
    for (const conflicts of [settingsConflicts(joined(), [wrong]), settingsConflicts(wrong, [joined()])])
      expect(conflicts).toEqual([expect.stringContaining(remedy)]);
  });

  it('name the domain of the cookie when the provider sets one', () => {
    expect(settingsConflicts(joined(withCookie({ domain: 'as.example' })), [page()])).toEqual([
      expect.stringContaining('set SESSION_COOKIE_DOMAIN=as.example for logout'),
    ]);
  });

  it('must have one path of the logout page', () => {
    expect(settingsConflicts(joined({ logoutPath: '/session/end' }), [page()])).toEqual([
      expect.stringContaining('set LOGOUT_PATH=/session/end for logout'),
    ]);
  });

  it('are compared within one process that is both', () => {
    const both = process('standalone', {
      provider: { ...AGREED, isJoined: false },
      logout: { ...AGREED, ...withCookie({ name: 'other' }) },
    });
    expect(settingsConflicts(both, [])).toEqual([expect.stringContaining('SESSION_COOKIE_NAME=_session')]);
  });

  it('compare the logout page with the provider of the team where both run', () => {
    const conflicts = settingsConflicts(page(), [
      joined(),
      builtIn(withCookie({ name: 'vestibule_session' })),
    ]);
    expect(conflicts).toEqual([]);
  });

  it('let a provider without any service know, since it may have another database', () => {
    expect(settingsConflicts(joined(), [joined()])).toEqual([
      expect.stringContaining('set databaseUrl to their DATABASE_URL'),
    ]);
    expect(settingsConflicts(builtIn(), [])).toEqual([]);
  });

  it('name each conflict once, however many processes have it', () => {
    const wrong = page(withCookie({ name: 'other' }));
    expect(settingsConflicts(joined(), [wrong, wrong])).toHaveLength(1);
  });
});
