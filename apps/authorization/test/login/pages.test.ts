import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { buildTestApp, ISSUER } from '../support/build-test-app.js';
import { authorizationAddress, aVerifier, logIn, tokensOf } from '../support/code-flow.js';

const build = () => buildTestApp({}, false, true);
const CODE = { grant_types: ['authorization_code'] };

/** A browser on the first page of an authorization request. */
async function firstPage(metadata = {}, parameters = {}) {
  const here = await build();
  const client = await here.register({ ...CODE, ...metadata });
  const browser = openBrowser(here.app);
  const started = await browser.go(authorizationAddress(client, aVerifier().challenge, parameters));
  const address = started.location ?? '';
  return { ...here, client, browser, address, page: await browser.go(address) };
}

it('shows client metadata as text, on a page without scripts that cannot be framed', async () => {
  const client_name = `<script>alert(1)</script>"'&`;
  const { page } = await firstPage({ client_name }, { login_hint: '"><img src=x>' });
  expect(page.status).toBe(200);
  expect(page.body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
  expect(page.body).toContain('value="&quot;&gt;&lt;img src=x&gt;"');
  expect(page.body).not.toMatch(/<script|<img|javascript:|onload|http-equiv/);
  expect(page.body).toContain('This is a demo');
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; form-action 'self' https:\/\/app\.example; base-uri 'none'; frame-ancestors 'none'$/,
    ),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
  });
});

it('responds the same to a wrong password and an unknown name, and stays on the page', async () => {
  const { browser, address } = await firstPage();
  const pages = [];
  for (const form of [
    { username: 'alice', password: 'wrong' },
    { username: 'unknown-id', password: 'unknown-id' },
    { username: 'alice' },
    { password: 'alice' },
    {},
  ])
    pages.push(await browser.go(address, { decision: 'login', ...form }));
  for (const { status, body } of pages) {
    expect(status).toBe(400);
    expect(body).toContain('role="alert"');
  }
  const [wrong, unknown] = pages.map(({ body }) => body);
  expect(wrong).toContain('value="alice"');
  expect(wrong?.replace('value="alice"', 'value="unknown-id"')).toBe(unknown);
});

it('redirects to the client when the end-user refuses', async () => {
  const { browser, address } = await firstPage();
  const refused = await browser.follow(
    await browser.go(address, { decision: 'refuse' }),
    'https://as.example',
  );
  expect(new URL(refused.location ?? '').searchParams.get('error')).toBe('access_denied');
});

it('accepts an interaction only in the browser that started it, and until it is decided', async () => {
  const { app, browser, address, client } = await firstPage();
  expect(await openBrowser(app).go(address)).toMatchObject({ status: 400 });
  expect(
    await openBrowser(app).go(address, { decision: 'login', username: 'bob', password: 'bob' }),
  ).toMatchObject({
    status: 400,
  });
  expect(await browser.go('/interaction/another')).toMatchObject({ status: 400 });
  await logIn(browser, authorizationAddress(client, aVerifier().challenge));
});

it('redirects nowhere if the client removed the address or was deleted while the page was open', async () => {
  for (const change of [
    `UPDATE client SET metadata = jsonb_set(metadata, '{redirect_uris}', '["https://app.example/new"]')`,
    'DELETE FROM client',
  ]) {
    const { browser, address, sql } = await firstPage();
    await sql(change);
    for (const form of [
      undefined,
      { decision: 'refuse' },
      { decision: 'login', username: 'alice', password: 'alice' },
    ])
      expect(await browser.go(address, form), change).toMatchObject({ status: 400, location: undefined });
  }
});

it('skips the consent page at the next request of the same client, which gets its code at once', async () => {
  const { app, client, browser } = await firstPage();
  await tokensOf(app, client, {}, browser);
  const again = await browser.go(authorizationAddress(client, aVerifier().challenge, { prompt: 'none' }));
  expect(new URL(again.location ?? '').searchParams.get('code')).toEqual(expect.any(String));
  const fresh = await openBrowser(app).go(
    authorizationAddress(client, aVerifier().challenge, { prompt: 'none' }),
  );
  expect(new URL(fresh.location ?? '').searchParams.get('error')).toBe('login_required');
});

it('ends a session when another end-user logs in in the same browser, and queues notifications for the clients', async () => {
  const { app, register, sql } = await build();
  const client = await register({ ...CODE, backchannel_logout_uri: 'https://app.example/backchannel' });
  const browser = openBrowser(app);
  await tokensOf(app, client, {}, browser);
  const address = authorizationAddress(client, aVerifier().challenge, { prompt: 'login' });
  const landed = await logIn(browser, address, 'bob');
  expect(landed.searchParams.get('code')).toEqual(expect.any(String));
  expect(await sql('SELECT subject FROM session')).toEqual([{ subject: 'bob' }]);
  expect(await sql('SELECT subject FROM access_token')).toEqual([]);
  expect(await sql('SELECT subject, uri, sid IS NOT NULL AS has_sid FROM logout_delivery')).toEqual([
    { subject: 'alice', uri: 'https://app.example/backchannel', has_sid: true },
  ]);
});

it('continues with the last login if two pages of one browser were open before a login', async () => {
  const { app, register, sql } = await build();
  const client = await register({ ...CODE, backchannel_logout_uri: 'https://app.example/backchannel' });
  const browser = openBrowser(app);
  const open = async () => {
    const { verifier, challenge } = aVerifier();
    const { location = '' } = await browser.go(authorizationAddress(client, challenge));
    return { location, verifier };
  };
  const [first, second] = [await open(), await open()];
  const decide = async ({ location }: typeof first, form: Readonly<Record<string, string>>) =>
    browser.follow(await browser.go(location, form), ISSUER);
  await decide(first, { decision: 'login', username: 'bob', password: 'bob' });
  expect(await sql('SELECT subject FROM session')).toEqual([{ subject: 'bob' }]);
  const loggedInPage = await decide(second, { decision: 'login', username: 'alice', password: 'alice' });
  expect(loggedInPage.status).toBe(200);
  expect(loggedInPage.body).toContain('You’re logged in as \u2068alice\u2069.');
  expect(await sql('SELECT subject FROM session')).toEqual([{ subject: 'alice' }]);
});

it('shows an error that cannot be redirected on a page, without markup from the request', async () => {
  const { app } = await build();
  const page = await openBrowser(app).go('/authorize?client_id=%3Cscript%3E&response_type=code');
  expect(page).toMatchObject({ status: 400, location: undefined });
  expect(page.body).not.toContain('<script>');
  expect(page.headers['content-security-policy']).toContain(`default-src 'none'`);
});

const NAMES = {
  client_name: 'Shop',
  'client_name#de': 'Laden',
  client_uri: 'https://shop.example/',
  'policy_uri#de': 'https://shop.example/datenschutz',
};
const shown = ({ body }: { readonly body: string }) => {
  const [, lang, dir] = /<html lang="([^"]+)" dir="([^"]+)">/.exec(body) ?? [];
  return `${lang} ${dir} ${/<h1>([^<]*)<\/h1>/.exec(body)?.[1]} ${/Laden|Shop/.exec(body)?.[0]}`;
};

it('uses the language that the client requests, else that of the browser, on every page of a login', async () => {
  const { page, browser, address, app, client } = await firstPage(NAMES, { ui_locales: 'xx de-AT' });
  expect(shown(page)).toBe('de ltr Anmelden Laden');
  const refused = await browser.go(address, { decision: 'login', username: 'alice', password: 'x' });
  expect(shown(refused)).toBe('de ltr Anmelden Laden');
  expect(refused.body).toContain('Der Benutzername oder das Passwort ist falsch.');
  const form = { decision: 'login', username: 'alice', password: 'alice' };
  const consent = await browser.follow(await browser.go(address, form), ISSUER);
  expect(shown(consent)).toBe('de ltr Zugriff erlauben? Laden');
  expect(consent.body).toContain('Sie sind als \u2068alice\u2069 angemeldet.');
  expect(consent.body).toContain('<a href="https://shop.example/datenschutz" rel="noreferrer">');
  expect(consent.body).toContain('gelangen Sie zurück zu \u2068https://app.example\u2069.');
  const fresh = openBrowser(app, { 'accept-language': 'ar' });
  const { location = '' } = await fresh.go(authorizationAddress(client, aVerifier().challenge));
  expect(shown(await fresh.go(location))).toBe('ar rtl تسجيل الدخول Shop');
  expect(shown(await fresh.go('/interaction/another'))).toMatch(/^ar rtl انتهت صلاحية هذه الصفحة/);
});

it('shows the account if a client requests a new login', async () => {
  const { app, client, browser } = await firstPage();
  await tokensOf(app, client, {}, browser);
  const address = authorizationAddress(client, aVerifier().challenge, { prompt: 'login' });
  const page = await browser.follow(await browser.go(address), ISSUER);
  expect(page.body).toContain('You’re logged in as \u2068alice\u2069.');
  expect(page.body).toContain('type="password"');
});

it('has error pages in the requested language, with the name and a link of a known client', async () => {
  const { app, client } = await firstPage(NAMES);
  const browser = openBrowser(app, { 'accept-language': 'fr' });
  const unknown = await browser.go('/authorize?client_id=x&response_type=code');
  expect(shown(unknown)).toBe('fr ltr Un problème est survenu undefined');
  const wrong = authorizationAddress(client, aVerifier().challenge, {
    redirect_uri: 'https://evil.example/',
    ui_locales: 'de',
  });
  const page = await browser.go(wrong);
  expect(page).toMatchObject({ status: 400, location: undefined });
  expect(shown(page)).toBe('de ltr Etwas ist schiefgelaufen Laden');
  expect(page.body).toContain(
    '<a href="https://shop.example/" rel="noreferrer">Weiter zu \u2068Laden\u2069</a>',
  );
  expect(page.body).toContain('<p class="code" dir="ltr" lang="en">invalid_redirect_uri</p>');
  const twice = await browser.go(`/authorize?client_id=${client.client_id}&client_id=x&ui_locales=de`);
  expect(shown(twice)).toMatch(/^de ltr Etwas ist schiefgelaufen/);
});

it('responds to malformed requests with a page in the language of the browser', async () => {
  const { app, address } = await firstPage();
  const headers = { 'accept-language': 'de' };
  const put = await app.inject({ method: 'PUT', url: address, headers });
  expect({ status: put.statusCode, allow: put.headers.allow, shown: shown(put) }).toMatchObject({
    status: 405,
    allow: 'GET, POST',
    shown: expect.stringMatching(/^de ltr Etwas ist schiefgelaufen/),
  });
  const json = { 'content-type': 'application/json', ...headers };
  const malformed = await app.inject({ method: 'POST', url: address, headers: json, payload: '{}' });
  expect({ status: malformed.statusCode, shown: shown(malformed) }).toMatchObject({
    status: 400,
    shown: expect.stringMatching(/^de ltr Etwas ist schiefgelaufen/),
  });
});
