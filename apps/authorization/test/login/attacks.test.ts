import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import {
  authorizationAddress,
  authorizationParameters,
  aVerifier,
  logIn,
  postForm,
} from '../support/code-flow.js';

const SESSION = '__Host-vestibule_session';
const LOGIN = { decision: 'login', username: 'alice', password: 'alice' };

/** A client, and a browser at its login page. */
async function atLoginPage() {
  const here = await buildTestApp({}, false, true);
  const client = await here.register({ grant_types: ['authorization_code'] });
  const send = (browser: ReturnType<typeof openBrowser>, parameters = {}) =>
    browser.go(authorizationAddress(client, aVerifier().challenge, parameters));
  const browser = openBrowser(here.app);
  const { location = '' } = await send(browser);
  return { ...here, client, browser, location, send };
}

function sessionCookie(browser: ReturnType<typeof openBrowser>): string {
  return browser.cookies().find(({ name }) => name === SESSION)?.value ?? '';
}

it('gives a browser a new session cookie at the login (no session fixation)', async () => {
  const { app, client, browser } = await atLoginPage();
  browser.setCookie(SESSION, 'chosen-by-an-attacker');
  const address = authorizationAddress(client, aVerifier().challenge);
  await logIn(browser, address);
  const first = sessionCookie(browser);
  expect(first).toMatch(/^[\w-]{21,}$/);
  expect(first).not.toContain('chosen');
  await logIn(browser, authorizationAddress(client, aVerifier().challenge, { prompt: 'login' }));
  const second = sessionCookie(browser);
  expect(second).not.toBe(first);
  for (const [value, error] of [
    [first, 'login_required'],
    ['chosen-by-an-attacker', 'login_required'],
    [second, null],
  ] as const) {
    const other = openBrowser(app);
    other.setCookie(SESSION, value);
    const response = await other.go(authorizationAddress(client, aVerifier().challenge, { prompt: 'none' }));
    expect(new URL(response.location ?? '').searchParams.get('error')).toBe(error);
  }
});

it('does not log in another browser with the address after a login, and accepts a decision once', async () => {
  const { app, browser, location } = await atLoginPage();
  const { location: next = '' } = await browser.go(location, LOGIN);
  expect(next).toMatch(/^https:\/\/as\.example\/authorize\/[\w-]+$/);
  const victim = openBrowser(app);
  expect(await victim.go(next)).toMatchObject({ status: 400, location: undefined });
  expect(sessionCookie(victim)).toBe('');
  expect((await browser.follow(await browser.go(next), ISSUER)).status).toBe(200);
  for (const form of [undefined, LOGIN, { decision: 'refuse' }])
    expect(await browser.go(location, form)).toMatchObject({ status: 400, location: undefined });
  expect(await browser.go(next)).toMatchObject({ status: 400, location: undefined });
});

it('redirects only to an address that is registered, character by character', async () => {
  const { browser, send } = await atLoginPage();
  for (const redirect_uri of [
    'https://app.example/cb/',
    'https://app.example/CB',
    'https://app.example/cb?',
    'https://app.example/cb#x',
    'https://app.example:443/cb',
    'HTTPS://app.example/cb',
    'https://app.example/x/../cb',
    'https://app.example@evil.example/cb',
    'https://app.example.evil.example/cb',
    '//app.example/cb',
    'javascript:alert(1)',
  ])
    for (const parameters of [
      { redirect_uri },
      { redirect_uri, prompt: 'none' },
      { redirect_uri, scope: '' },
    ])
      expect(await send(browser, parameters), redirect_uri).toMatchObject({
        status: 400,
        location: undefined,
      });
});

it('forbids framing and referrers on every page and redirect', async () => {
  const { browser, send, location } = await atLoginPage();
  const silent = { response_mode: 'form_post', prompt: 'none' };
  const responses = [
    await send(browser),
    await send(browser, silent),
    await send(browser, { redirect_uri: 'https://evil.example/' }),
    await browser.go(location),
    await browser.go(location, { ...LOGIN, password: 'wrong' }),
    await browser.go('/interaction/gone'),
  ];
  expect(responses.map(({ status }) => status)).toEqual([303, 400, 400, 200, 400, 400]);
  expect(responses[1]?.body).toContain('action="https://app.example/cb"');
  for (const { headers } of responses)
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
    });
});

it('shows on the consent page where the browser goes, whatever the name of the client', async () => {
  const { register, browser } = await atLoginPage();
  const client = await register({ client_name: 'Your bank', grant_types: ['authorization_code'] });
  const started = await browser.go(authorizationAddress(client, aVerifier().challenge));
  const consent = await browser.follow(await browser.go(started.location ?? '', LOGIN), ISSUER);
  expect(consent.body).toContain('requested by \u2068Your bank\u2069:');
  expect(consent.body).toContain('you’ll go back to \u2068https://app.example\u2069.');
});

it('refuses text that cannot be stored, in every form of request, before the end-user is asked', async () => {
  const { app, client, send, problems } = await atLoginPage();
  const query = (parameters: object) =>
    new URLSearchParams({
      ...authorizationParameters(client, 'c'.repeat(43)),
      ...parameters,
    });
  for (const parameters of [
    { nonce: 'a\0' },
    { nonce: '\n' },
    { acr_values: 'a b\0' },
    { claims: '{"userinfo":{"access_token:a\\u0000":null}}' },
    { claims: '{"id_token":{"acr":{"values":["\\ud800"]}}}' },
    { claims: '{"userinfo":{"a":null,"a":null}}' },
    { claims: `{"userinfo":{"a":${'['.repeat(100)}${']'.repeat(100)}}}` },
  ]) {
    const { location = '' } = await send(openBrowser(app), parameters);
    expect(new URL(location, ISSUER).searchParams.get('error'), JSON.stringify(parameters)).toBe(
      'invalid_request',
    );
    const pushed = await postForm(app, '/par', client, Object.fromEntries(query(parameters)));
    expect(pushed).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  }
  expect(problems).toEqual([]);
});
