import Type from 'typebox';
import { expect, it } from 'vitest';
import { loadSettings } from '../settings/load-settings.js';
import {
  CLIENT_CERTIFICATE_SETTINGS,
  checkClientCertificateSettings,
  clientCertificateOptions,
} from './client-certificate-settings.js';

const BEHIND_PROXY = { CLIENT_CERTIFICATE_HEADER: 'Client-Cert', TRUSTED_PROXIES: '10.0.0.0/24' };
const MUTUAL = { ...BEHIND_PROXY, CLIENT_CERTIFICATE_PROXY_PROOF: 'mutual-tls' };

function load(environment: Readonly<Record<string, string>>) {
  return loadSettings(Type.Object(CLIENT_CERTIFICATE_SETTINGS), environment, [
    checkClientCertificateSettings,
  ]);
}

it('requires the certificates of the proxies if they authenticate with mutual TLS', () => {
  expect(() => load(MUTUAL)).toThrow('CLIENT_CERTIFICATE_PROXIES');
  const proxies = `Proxy.example,${'A'.repeat(64)}`;
  const settings = load({ ...MUTUAL, CLIENT_CERTIFICATE_PROXIES: proxies });
  expect(clientCertificateOptions(settings).header?.proof).toEqual({
    kind: 'mutual-tls',
    proxies: ['proxy.example', 'a'.repeat(64)],
  });
});

it('refuses proxy names that would have no effect, and values that are not names', () => {
  const secret = { ...BEHIND_PROXY, CLIENT_CERTIFICATE_PROXY_SECRET: 's'.repeat(32) };
  load(secret);
  for (const environment of [{}, secret])
    expect(() => load({ ...environment, CLIENT_CERTIFICATE_PROXIES: 'proxy.example' })).toThrow(
      'CLIENT_CERTIFICATE_PROXIES',
    );
  for (const bad of ['*.example', 'CN=proxy', 'a'.repeat(65), 'a..b', 'https://proxy.example'])
    expect(() => load({ ...MUTUAL, CLIENT_CERTIFICATE_PROXIES: bad }), bad).toThrow(
      'CLIENT_CERTIFICATE_PROXIES',
    );
});
