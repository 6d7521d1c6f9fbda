import { randomBytes } from 'node:crypto';
import { SettingsError } from '@vestibule/service/settings';
import { describe, expect, it } from 'vitest';
import { loadLogoutConfig } from './config.js';

const REQUIRED = {
  BASE_URL: 'https://as.example',
  DATABASE_URL: 'postgres://localhost/vestibule',
  ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
};

const load = (settings: Readonly<Record<string, string>> = {}) =>
  loadLogoutConfig({ ...REQUIRED, ...settings });

describe('loadLogoutConfig', () => {
  it('has a default for everything except the issuer, the database and the keys', () => {
    expect(load()).toMatchObject({ PORT: 8083, LOGOUT_PATH: '/logout', LOGOUT_REDIRECT_WITHOUT_HINT: false });
  });

  it('refuses malformed colours and colours of low contrast, and accepts others', () => {
    expect(load({ BRAND_ACCENT_COLOR: '#7A1FA2', BRAND_ACCENT_COLOR_DARK: '#ffd54f' })).toMatchObject({
      BRAND_ACCENT_COLOR: '#7a1fa2',
      BRAND_ACCENT_COLOR_DARK: '#ffd54f',
    });
    for (const colour of ['#ffd54f', 'red', '#123', '#12345g', '#000000;}'])
      expect(() => load({ BRAND_ACCENT_COLOR: colour }), colour).toThrow(SettingsError);
    expect(() => load({ BRAND_ACCENT_COLOR_DARK: '#1f5fbf' })).toThrow(SettingsError);
  });

  it('refuses logo addresses that could extend the Content-Security-Policy', () => {
    expect(load({ BRAND_LOGO_URI: 'https://cdn.example/logo.svg' }).BRAND_LOGO_URI).toBe(
      'https://cdn.example/logo.svg',
    );
    for (const uri of [
      'http://cdn.example/x',
      'https://cdn.example/x;y',
      'https://cdn.example/x,y',
      'data:,x',
      '/x',
    ])
      expect(() => load({ BRAND_LOGO_URI: uri }), uri).toThrow(SettingsError);
  });

  it('refuses paths that a router or a proxy could interpret differently, and cookies that browsers would reject', () => {
    for (const path of ['logout', '/', '/logout/', '/a/:id', '/a*', '/../x', '/a%2f', '/a b'])
      expect(() => load({ LOGOUT_PATH: path }), path).toThrow(SettingsError);
    for (const cookie of [
      { SESSION_COOKIE_NAME: 'a b' },
      { SESSION_COOKIE_NAME: '__Host-x', SESSION_COOKIE_DOMAIN: 'as.example' },
      { SESSION_COOKIE_PATH: '/op' },
      { SESSION_COOKIE_NAME: 'x', SESSION_COOKIE_PATH: '/;x' },
      { SESSION_COOKIE_NAME: 'x', SESSION_COOKIE_DOMAIN: 'a;b' },
    ])
      expect(() => load(cookie), JSON.stringify(cookie)).toThrow(SettingsError);
    expect(load({ SESSION_COOKIE_NAME: 'sid', SESSION_COOKIE_DOMAIN: 'example.com' })).toMatchObject({
      SESSION_COOKIE_NAME: 'sid',
    });
  });
});
