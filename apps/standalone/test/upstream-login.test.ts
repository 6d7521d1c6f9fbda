import { createHash } from 'node:crypto';
import * as openid from 'openid-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { introspect, type ResourceServer, registerResourceServer } from './support/api.js';
import { REDIRECT_URI, registerPublished } from './support/code-flow.js';
import { type HostsBrowser, type HostsPage, openHostsBrowser } from './support/hosts-browser.js';
import { startUpstreamFixture, type UpstreamFixture } from './support/upstream-fixture.js';

const BYE = 'https://app.example/bye';
const PASSWORD = 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password';

let fixture: UpstreamFixture;
let client: openid.Configuration;
let resourceServer: ResourceServer;

beforeAll(async () => {
  fixture = await startUpstreamFixture();
  client = await registerPublished(fixture.ours, {
    scope: 'openid profile email',
    post_logout_redirect_uris: [BYE],
  });
  resourceServer = await registerResourceServer(fixture.ours);
});

afterAll(() => fixture.close());

const aBrowser = (onRedirect?: (address: URL) => URL) =>
  openHostsBrowser([fixture.ours.host, fixture.upstream.host], onRedirect);

/** Sends the browser to our authorization endpoint. */
async function request(browser: HostsBrowser, parameters: Readonly<Record<string, string>> = {}) {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const address = openid.buildAuthorizationUrl(client, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...parameters,
  });
  return { page: await browser.visit(address), pkceCodeVerifier };
}

/** Everything from the request to the tokens. */
async function logIn(browser: HostsBrowser, parameters?: Readonly<Record<string, string>>, name = 'alice') {
  const { page, pkceCodeVerifier } = await request(browser, parameters);
  const { url } = await browser.proceed(page, name);
  const tokens = await openid.authorizationCodeGrant(client, url, {
    pkceCodeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('no ID token');
  return { tokens, claims, token: tokens.access_token, idToken: tokens.id_token ?? '' };
}

/** Sends the browser to our authorization endpoint, and logs in and consents at the other provider. @returns where it ends */
async function logInThere(browser: HostsBrowser, name: string): Promise<HostsPage> {
  const { page } = await request(browser);
  const consent = await browser.submit(page, { decision: 'login', username: name, password: name });
  return browser.submit(consent, { decision: 'consent' });
}

/** Confirms a logout, as the page asks. */
async function accept(browser: HostsBrowser, page: HostsPage): Promise<HostsPage> {
  const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')] as const,
  );
  const address = new URL('/logout', page.url);
  return browser.visit(address, { ...Object.fromEntries(hidden), decision: 'accept' });
}

const introspected = (token: string) => introspect(fixture.ours, resourceServer, { token });

const subjectOf = (name: string) =>
  createHash('sha256')
    .update(JSON.stringify([fixture.upstream.issuer, name]))
    .digest('base64url');

it('logs end-users in at the other provider, and passes on their claims and how they logged in', async () => {
  const { tokens, claims, token } = await logIn(aBrowser());
  const sub = subjectOf('alice');
  expect(claims).toMatchObject({ iss: fixture.ours.issuer, sub });
  expect(await introspected(token)).toMatchObject({
    active: true,
    sub,
    username: 'alice',
    iss: fixture.ours.issuer,
    acr: PASSWORD,
    auth_time: expect.any(Number),
  });
  expect(await openid.fetchUserInfo(client, tokens.access_token, claims.sub)).toMatchObject({
    email: 'alice@example.com',
    preferred_username: 'alice',
    family_name: 'Example',
  });
});

it('shows the name that the other provider gives on the consent page, and takes a refusal to the client', async () => {
  const browser = aBrowser();
  const consent = await logInThere(browser, 'bob');
  expect(consent.url.host).toBe(fixture.ours.host);
  expect(consent.text).toContain('bob');
  const refused = await browser.submit(consent, { decision: 'refuse' });
  expect(refused.url.searchParams.get('error')).toBe('access_denied');
});

it('refuses the request of a client if the end-user cancels at the other provider', async () => {
  const browser = aBrowser();
  const { page } = await request(browser);
  expect(page.url.host).toBe(fixture.upstream.host);
  const cancelled = await browser.submit(page, { decision: 'refuse' });
  expect(`${cancelled.url.origin}${cancelled.url.pathname}`).toBe(REDIRECT_URI);
  expect(cancelled.url.searchParams.get('error')).toBe('access_denied');
});

it('asks for a login again for prompt=login, and not while both sessions live otherwise', async () => {
  const browser = aBrowser();
  await logIn(browser);
  const { page } = await request(browser);
  expect(page.url.href.startsWith(REDIRECT_URI)).toBe(true);
  const again = await request(browser, { prompt: 'login' });
  expect(again.page.url.host).toBe(fixture.upstream.host);
  expect(again.page.text).toContain('name="password"');
  const { url } = await browser.proceed(again.page);
  expect(url.searchParams.get('code')).not.toBeNull();
});

it('takes over a login that the other provider remembers, with its time', async () => {
  const browser = aBrowser();
  const { claims } = await logIn(browser, { max_age: '3600' });
  await fixture.ageLogins(1_000);
  browser.forget(fixture.ours.host);
  const { page, pkceCodeVerifier } = await request(browser, { max_age: '3600' });
  expect([page.url.host, page.text.includes('name="password"')]).toEqual([fixture.ours.host, false]);
  const { url } = await browser.proceed(page);
  const checks = { pkceCodeVerifier, idTokenExpected: true };
  const again = (await openid.authorizationCodeGrant(client, url, checks)).claims();
  expect(again).toMatchObject({ sub: claims.sub, auth_time: Number(claims.auth_time) - 1_000 });
  browser.forget(fixture.ours.host);
  const stale = await request(browser, { max_age: '900' });
  expect(stale.page.url.host).toBe(fixture.upstream.host);
});

it('refuses an old login if the browser did not ask the other provider for a new one', async () => {
  const browser = aBrowser((address) => {
    const changed = new URL(address);
    if (address.host === fixture.upstream.host)
      for (const name of ['prompt', 'max_age']) changed.searchParams.delete(name);
    return changed;
  });
  await logIn(browser);
  await fixture.ageLogins(1_000);
  const { page } = await request(browser, { prompt: 'login' });
  expect([page.status, page.url.host]).toEqual([502, fixture.ours.host]);
  expect(page.text).toContain('stale_login');
});

it('accepts the response of the other provider once, and only in the browser that was sent there', async () => {
  const responses: URL[] = [];
  const browser = aBrowser((address) => {
    if (address.pathname === '/upstream/callback') responses.push(address);
    return address;
  });
  await logInThere(browser, 'alice');
  const [response] = responses;
  if (response === undefined) throw new Error('no response');
  const elsewhere = await aBrowser().visit(response);
  expect([elsewhere.status, elsewhere.url.host]).toEqual([400, fixture.ours.host]);
  // The login has been taken: the interaction is at the consent.
  const used = await browser.visit(response);
  expect(used.text).not.toContain('Something went wrong');
  for (const state of ['', 'x', `${response.searchParams.get('state')}x`]) {
    const address = new URL(response);
    address.searchParams.set('state', state);
    expect((await aBrowser().visit(address)).status).toBe(400);
  }
});

it('starts the login again for a response to another request', async () => {
  let responses = 0;
  const browser = aBrowser((address) => {
    if (address.pathname !== '/upstream/callback') return address;
    responses += 1;
    const changed = new URL(address);
    const [uid = ''] = changed.searchParams.get('state')?.split('.') ?? [];
    if (responses === 1) changed.searchParams.set('state', `${uid}.${'A'.repeat(43)}`);
    return changed;
  });
  const consent = await logInThere(browser, 'alice');
  expect([responses, consent.status, consent.url.host]).toEqual([2, 200, fixture.ours.host]);
});

it('shows what went wrong at the other provider, and a link to log in again, and logs no code and no token', async () => {
  const browser = aBrowser((address) => {
    if (address.pathname !== '/upstream/callback') return address;
    const changed = new URL(address);
    changed.searchParams.delete('code');
    changed.searchParams.set('error', 'temporarily_unavailable');
    return changed;
  });
  const failed = await logInThere(browser, 'alice');
  expect([failed.status, failed.url.host]).toEqual([502, fixture.ours.host]);
  expect(failed.text).toContain('refused: temporarily_unavailable');
  const [, retry = ''] = /href="(\/interaction\/[^"]+)"/.exec(failed.text) ?? [];
  expect(retry).toBe(failed.url.pathname);
  expect(fixture.ours.log()).toContain('"reason":"refused"');
});

it('counts logins by how they ended', async () => {
  const outcomes = ['success', 'cancelled', 'unreachable', 'refused', 'response', 'stale_login'];
  const counts = () =>
    Promise.all(
      outcomes.map((outcome) => fixture.ours.metric('upstream_logins_total', `outcome="${outcome}"`)),
    );
  const before = await counts();
  await logIn(aBrowser());
  const cancelling = aBrowser();
  const { page } = await request(cancelling);
  await cancelling.submit(page, { decision: 'refuse' });
  const failing = aBrowser((address) => {
    if (address.pathname === '/upstream/callback') address.searchParams.set('code', 'another');
    return address;
  });
  await logInThere(failing, 'alice');
  const added = (await counts()).map((count, index) => count - (before[index] ?? Number.NaN));
  expect(added).toEqual([1, 1, 0, 0, 1, 0]);
});

it('refuses a code that the other provider did not issue for this login', async () => {
  const browser = aBrowser((address) => {
    if (address.pathname !== '/upstream/callback') return address;
    const changed = new URL(address);
    changed.searchParams.set('code', 'another');
    return changed;
  });
  const failed = await logInThere(browser, 'alice');
  expect(failed.status).toBe(502);
  expect(failed.text).toContain('response: ');
});

it('ends the sessions of an end-user, with their tokens, when they log out at the other provider, once for each token', async () => {
  const browser = aBrowser();
  const { token } = await logIn(browser);
  const other = await logIn(aBrowser(), {}, 'bob');
  await accept(browser, await browser.visit(`${fixture.upstream.baseUrl}/logout`));
  await expect.poll(() => introspected(token)).toEqual({ active: false });
  expect(await introspected(other.token)).toMatchObject({ active: true });
  const { page } = await request(browser);
  expect(page.url.host).toBe(fixture.upstream.host);
  const again = await logIn(browser);
  const { form = '', status } = fixture.notifications.at(-1) ?? {};
  expect(status).toBe(200);
  const repeated = await fetch(`${fixture.ours.baseUrl}/upstream/backchannel-logout`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  expect([repeated.status, await repeated.json()]).toEqual([
    400,
    { error: 'invalid_request', error_description: 'logout_token: was used before' },
  ]);
  expect(await introspected(again.token)).toMatchObject({ active: true });
});

it('logs an end-user out at the other provider too, and then returns to the client', async () => {
  const browser = aBrowser();
  const { token, idToken } = await logIn(browser);
  const address = openid.buildEndSessionUrl(client, {
    id_token_hint: idToken,
    post_logout_redirect_uri: BYE,
    state: 'a;b&c',
  });
  const asked = await browser.visit(address);
  expect(asked.url.host).toBe(fixture.ours.host);
  const there = await accept(browser, asked);
  expect([there.status, there.url.host, there.url.pathname]).toEqual([200, fixture.upstream.host, '/logout']);
  expect(await introspected(token)).toEqual({ active: false });
  const back = await accept(browser, there);
  expect(back.url.href).toBe(`${BYE}?state=${encodeURIComponent('a;b&c')}`);
  const { page } = await request(browser);
  expect(page.text).toContain('name="password"');
});

it('returns to the logout page without a client, and does not leave it without a login at the other provider', async () => {
  const browser = aBrowser();
  await logIn(browser);
  const outcome = await accept(browser, await browser.visit(`${fixture.ours.baseUrl}/logout`));
  expect([outcome.status, outcome.url.pathname]).toEqual([200, '/logout']);
  const [, onward = ''] = /<a class="way" href="([^"]+)"/.exec(outcome.text) ?? [];
  const end = await accept(browser, await browser.visit(onward));
  expect([end.url.host, end.url.pathname, end.status]).toEqual([fixture.ours.host, '/logout', 200]);
  const state = new URL(onward).searchParams.get('state') ?? '';
  const elsewhere = await aBrowser().visit(onward);
  expect([elsewhere.url.host, elsewhere.url.pathname]).toEqual([fixture.ours.host, '/logout']);
  for (const forged of ['', 'x', `1${state}`, state.slice(0, -2)])
    for (const path of ['logout', 'logged-out']) {
      const address = `${fixture.ours.baseUrl}/upstream/${path}?state=${encodeURIComponent(forged)}`;
      expect((await browser.visit(address)).status, forged).toBe(400);
    }
});

it.each([
  ['without a token', {}],
  ['with a text', { logout_token: 'a.b.c' }],
])('refuses a logout notification %s', async (_what, form) => {
  const response = await fetch(`${fixture.ours.baseUrl}/upstream/backchannel-logout`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: 'invalid_request' });
});
