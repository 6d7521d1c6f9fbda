import { foreignSql } from '@vestibule/local-services/testing';
import { nowSeconds, systemClock } from '@vestibule/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { sessionCookie } from '../../src/login/session-cookie.js';
import type { Browser } from '../support/browser.js';
import { databaseRelay } from '../support/database-relay.js';
import { aBrowser, type LoginStack, shownAs, startLoginStack } from '../support/login-fixture.js';

/** Whether the session of a browser is alive at an instance. */
async function isAlive(browser: Browser, origin: string): Promise<boolean> {
  return shownAs(await browser.go(`${origin}/session`)) === 'page';
}

/** Logs in, and gives the session to another instance too. */
async function logInTwice(stack: LoginStack) {
  const browser = aBrowser();
  await stack.logIn(browser);
  const other = await stack.anotherInstance();
  const cookie = browser.cookies(stack.origin).get('vestibule_console') ?? '';
  browser.setCookie(other.origin, 'vestibule_console', cookie);
  expect(await isAlive(browser, other.origin)).toBe(true);
  return { browser, other };
}

/** Sends a logout token, as an authorization server does. */
function notify(origin: string, logout_token: string): Promise<Response> {
  return fetch(`${origin}/backchannel-logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token }),
  });
}

/** The `sid` of the console in the session of a browser. */
async function sidOf({ console: { store }, origin }: LoginStack, browser: Browser): Promise<string> {
  const { encryptor, clock } = store;
  const cookie = sessionCookie({ encryptor, clock, isSecure: false });
  const value = browser.cookies(origin).get('vestibule_console') ?? '';
  const content = await cookie.read({ headers: { cookie: `vestibule_console=${value}` } } as never);
  return content?.sid ?? '';
}

it('ends with the session at the authorization server, in every instance, within a request and without a notification', async () => {
  const stack = await startLoginStack();
  const { browser, other } = await logInTwice(stack);
  const { sessions } = stack.provider.store.database.providerRecords;
  expect(await sessions.endOfSubject('alice', nowSeconds(systemClock))).toBe(1);
  expect(await isAlive(browser, other.origin)).toBe(false);
  expect(await isAlive(browser, stack.origin)).toBe(false);
});

it('ends by a logout token for its session, in every instance, within a request', async () => {
  const stack = await startLoginStack();
  const { browser, other } = await logInTwice(stack);
  const token = await stack.logoutToken({ sessionId: await sidOf(stack, browser) });
  const response = await notify(stack.origin, token);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await isAlive(browser, other.origin)).toBe(false);
  // A token can be used once.
  expect((await notify(other.origin, token)).status).toBe(400);
});

it('ends by a logout token for its person, but not a session that begins later', async () => {
  const stack = await startLoginStack();
  const { browser, other } = await logInTwice(stack);
  expect((await notify(other.origin, await stack.logoutToken({ subject: 'bob' }))).status).toBe(200);
  expect(await isAlive(browser, stack.origin)).toBe(true);
  expect((await notify(other.origin, await stack.logoutToken({ subject: 'alice' }))).status).toBe(200);
  expect(await isAlive(browser, stack.origin)).toBe(false);
  await stack.logIn(browser);
  expect(await isAlive(browser, stack.origin)).toBe(true);
});

it('ends that session alone if a logout token names a session and a person', async () => {
  const stack = await startLoginStack();
  const { browser } = await logInTwice(stack);
  const token = await stack.logoutToken({ subject: 'alice', sessionId: 'of another browser' });
  expect((await notify(stack.origin, token)).status).toBe(200);
  expect(await isAlive(browser, stack.origin)).toBe(true);
});

it('refuses logout tokens that are not for the console', async () => {
  const stack = await startLoginStack();
  const { browser } = await logInTwice(stack);
  const forOther = await stack.logoutToken({ clientId: 'another' as never, subject: 'alice' });
  for (const token of [
    forOther,
    'x',
    `${(await stack.logoutToken({ subject: 'alice' })).slice(0, -4)}AAAA`,
  ]) {
    const response = await notify(stack.origin, token);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  }
  expect(await isAlive(browser, stack.origin)).toBe(true);
});

/** Logs in, and gives the session to an instance whose way to the database can be cut. */
async function logInOverRelay(stack: LoginStack) {
  const browser = aBrowser();
  await stack.logIn(browser);
  const relay = await databaseRelay(stack.databaseUrl);
  const other = await stack.anotherInstance({ DATABASE_URL: relay.url });
  const cookie = browser.cookies(stack.origin).get('vestibule_console') ?? '';
  browser.setCookie(other.origin, 'vestibule_console', cookie);
  expect(await isAlive(browser, other.origin)).toBe(true);
  return { browser, other, relay };
}

it('refuses a session whose end cannot be checked, with a page that keeps what was typed', async () => {
  const stack = await startLoginStack();
  const { browser, other, relay } = await logInOverRelay(stack);
  await relay.leave();
  const page = await browser.go(`${other.origin}/session`);
  expect([page.status, page.text.includes('The database cannot be reached')]).toEqual([503, true]);
  const logout = await browser.go(`${other.origin}/logout`, { form_token: 'typed' });
  expect([logout.status, logout.text.includes('value="typed"')]).toEqual([503, true]);
});

it('shows any other fault of that check as a fault, with a reference to the log', async () => {
  const stack = await startLoginStack();
  const browser = aBrowser();
  await stack.logIn(browser);
  const sql = await foreignSql(stack.databaseUrl);
  const restore = () => sql('ALTER TABLE IF EXISTS artifact_away RENAME TO artifact');
  onTestFinished(async () => void (await restore()));
  await sql('ALTER TABLE artifact RENAME TO artifact_away');
  const { status, text } = await browser.go(`${stack.origin}/session`);
  expect(status).toBe(500);
  expect(text).toContain('Something went wrong');
  expect(text).not.toContain('The database cannot be reached');
  expect(text).not.toMatch(/<nav|artifact/);
  const [, reference = ''] = /requestId<\/code>: <code>([0-9a-f]{12}-[0-9a-z]+)<\/code>/.exec(text) ?? [];
  const line = stack.console
    .log()
    .split('\n')
    .find((one) => one.includes(`"requestId":"${reference}"`));
  // The table does not exist.
  expect(line).toContain('"code":"42P01"');
  const logout = await browser.go(`${stack.origin}/logout`, { form_token: 'typed' });
  expect([logout.status, logout.text.includes('Something went wrong')]).toEqual([500, true]);
  await restore();
  expect(await isAlive(browser, stack.origin)).toBe(true);
});
