import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp } from '../support/build-test-app.js';
import {
  authorizationAddress,
  authorizationParameters,
  aVerifier,
  exchange,
  logIn,
} from '../support/code-flow.js';

const CODE = { grant_types: ['authorization_code'] };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** A server, a client, and the form of one of its authorization requests. */
async function createFixture(isLive = true) {
  const here = await buildTestApp({}, false, isLive);
  const client = await here.register(CODE);
  const { verifier, challenge } = aVerifier();
  const form = (parameters = {}) => authorizationParameters(client, challenge, parameters);
  const post = (payload: string, headers: Readonly<Record<string, string>> = FORM, url = '/authorize') =>
    here.app.inject({ method: 'POST', url, headers, payload });
  return { ...here, client, verifier, challenge, form, post };
}

const text = (form: Readonly<Record<string, string>>) => new URLSearchParams(form).toString();

it('accepts an authorization request by POST (OpenID Connect Core 3.1.2.1) as by GET', async () => {
  const { app, client, verifier, form } = await createFixture();
  const browser = openBrowser(app);
  const posted = await browser.go('/authorize', form({ state: 'the state' }));
  expect(posted.status).toBe(303);
  const landed = await logIn(browser, posted.location ?? '');
  expect(landed.searchParams.get('state')).toBe('the state');
  expect(await exchange(app, client, landed, verifier)).toMatchObject({
    status: 200,
    body: { id_token: expect.any(String) },
  });
});

it('finds the session of the browser although a POST from another site has no cookie', async () => {
  const { app, form, client, challenge, post } = await createFixture();
  const browser = openBrowser(app);
  await logIn(browser, authorizationAddress(client, challenge));
  const before = browser.cookies();
  const { headers } = await post(text(form({ prompt: 'none' })));
  expect(headers['set-cookie']).toBeUndefined();
  const landed = await browser.go(String(headers.location));
  expect(landed.location).toMatch(/^https:\/\/app\.example\/cb\?code=/);
  expect(browser.cookies().map(({ name }) => name)).toEqual(before.map(({ name }) => name));
});

it('shows nothing of the request in the address, on the wire or in the database', async () => {
  const { form, post, sql, client } = await createFixture();
  const { headers, statusCode } = await post(text(form({ login_hint: 'login-name@example.com' })));
  expect(statusCode).toBe(303);
  expect(headers).toMatchObject({
    location: expect.stringMatching(/^\/authorize\?posted_request=[A-Za-z0-9]{43}$/),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  const stored = JSON.stringify(await sql('SELECT * FROM artifact'));
  const [, id = ''] = String(headers.location).split('=');
  for (const secret of ['login-name', client.client_id, id]) expect(stored).not.toContain(secret);
});

it('accepts requests that are too long for a URL, up to the body limit', async () => {
  const { app, form, post, problems } = await createFixture();
  const claims = JSON.stringify({ userinfo: { email: { values: ['x'.repeat(40_000)] } } });
  const { headers } = await post(text(form({ claims })));
  expect(await openBrowser(app).go(String(headers.location))).toMatchObject({
    status: 303,
    location: expect.stringMatching(/^\/interaction\//),
  });
  const tooLong = await post(text(form({ state: 'x'.repeat(66_000) })));
  expect(tooLong.json()).toMatchObject({ error: 'invalid_request' });
  expect(problems).toEqual([]);
});

it('decodes every character of a form, encoded or not', async () => {
  const { app, form, post, problems } = await createFixture();
  const state = ' a#b?c;d/e\\f"g<h>i|j{k}^l`mñ日本\u00a0';
  const unknown = { redirect_uri: 'https://app.example/cb', prompt: 'none' };
  const { state: _none, ...rest } = form(unknown);
  for (const payload of [text({ ...rest, state }), `state=${state.replaceAll(' ', '+')}&${text(rest)}`]) {
    const { headers } = await post(payload);
    const { location = '' } = await openBrowser(app).go(String(headers.location));
    expect(new URL(location).searchParams.get('state')).toBe(state);
    expect(new URL(location).searchParams.get('error')).toBe('login_required');
  }
  expect(problems).toEqual([]);
});

it('keeps a request for a minute, and then shows that it has expired', async () => {
  const { app, form, post, clock } = await createFixture(false);
  const { location } = (await post(text(form()))).headers;
  clock.advanceSeconds(59);
  expect(await openBrowser(app).go(String(location))).toMatchObject({
    location: expect.stringMatching(/^\/interaction\//),
  });
  clock.advanceSeconds(1);
  for (const address of [String(location), `/authorize?posted_request=${'x'.repeat(43)}`]) {
    const expired = await app.inject(address);
    expect(expired.statusCode).toBe(400);
    expect(expired.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(expired.headers['content-security-policy']).toContain("default-src 'none'");
    expect(expired.body).toContain('This page has expired');
  }
});

it('responds to errors of a posted request as to those of a GET', async () => {
  const { app, form, post, client } = await createFixture();
  const { response_type: _none, ...incomplete } = form();
  for (const payload of [
    text(form({ redirect_uri: 'https://evil.example/' })),
    text(form({ client_id: 'unknown' })),
    text(incomplete),
    text(form({ response_type: 'unknown' })),
    text(form({ scope: 'unregistered' })),
    `${text(form())}&client_id=${client.client_id}`,
    `${text(form())}&state=a&state=b`,
    'x',
    '%',
    '?',
    'expired',
    `posted_request=${'x'.repeat(43)}`,
  ]) {
    const posted = await app.inject(String((await post(payload)).headers.location));
    const got = await app.inject(`/authorize?${payload}`);
    if (payload.startsWith('posted_request')) expect(posted.statusCode).toBe(400);
    else
      expect([posted.statusCode, posted.headers.location, posted.body], payload).toEqual([
        got.statusCode,
        got.headers.location,
        got.body,
      ]);
  }
});

it('accepts no other media type, and no parameters from the query', async () => {
  const { app, form, post } = await createFixture();
  for (const [payload, headers] of [
    [JSON.stringify(form()), { 'content-type': 'application/json' }],
    [text(form()), { 'content-type': 'text/plain' }],
    ['', FORM],
    ['a\0b', FORM],
  ] as const) {
    const refused = await post(payload, headers);
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({ error: 'invalid_request' });
  }
  const { location } = (await post('state=x', FORM, `/authorize?${text(form())}`)).headers;
  expect(await openBrowser(app).go(String(location))).toMatchObject({ status: 400, location: undefined });
});
