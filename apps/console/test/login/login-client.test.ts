import { parseIssuer } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { loginClient } from '../../src/login/login-client.js';
import { aBrowser, startLoginStack } from '../support/login-fixture.js';

const issuer = parseIssuer('https://as.example');
if (issuer === undefined) throw new TypeError('not an issuer');

const CONFIG = {
  BASE_URL: issuer,
  CONSOLE_URL: 'https://console.example',
  CONSOLE_CLIENT_ID: 'our-console',
  CONSOLE_SCOPE: 'openid groups',
  EGRESS_ALLOW_HOSTS: [],
};

const OURS = {
  clientId: 'our-console',
  scope: 'openid groups',
};

it('is the client of the settings if people log in at the authorization server', () => {
  expect(loginClient(CONFIG)).toEqual(OURS);
  expect(loginClient({ ...CONFIG, CONSOLE_OPENID_PROVIDER: new URL('https://as.example') })).toEqual(OURS);
});

it('is none of the store if they log in at another provider', () => {
  const CONSOLE_OPENID_PROVIDER = new URL('https://login.example');
  expect(loginClient({ ...CONFIG, CONSOLE_OPENID_PROVIDER })).toBeUndefined();
});

it('cannot be suspended in the console, whose logins go on', async () => {
  const stack = await startLoginStack();
  const browser = aBrowser();
  await stack.logIn(browser);
  const address = `${stack.origin}/clients/vestibule-console`;
  const { text } = await browser.go(address);
  expect(text).toContain('The console logs people in with this client.');
  const form = { form_token: /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '', version: '1' };
  const refused = await browser.go(`${address}/suspend`, form, { origin: stack.origin });
  expect([refused.status, refused.text.includes('vestibule clients suspend')]).toEqual([409, true]);
  const other = aBrowser();
  await stack.logIn(other);
  expect((await other.go(`${stack.origin}/session`)).status).toBe(200);
});
