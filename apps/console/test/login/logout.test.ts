import { expect, it } from 'vitest';
import type { Browser, Page } from '../support/browser.js';
import { aBrowser, type LoginStack, shownAs, startLoginStack } from '../support/login-fixture.js';

/** The value that the forms of a session carry, from the page of a failure, which has the frame of the session. */
async function formTokenOf(stack: LoginStack, browser: Browser): Promise<string> {
  const { text } = await browser.go(`${stack.origin}/session`);
  return /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

function logOut(stack: LoginStack, browser: Browser, form_token: string, headers = {}): Promise<Page> {
  return browser.go(
    `${stack.origin}/logout`,
    { form_token },
    { origin: stack.origin, 'sec-fetch-site': 'same-origin', ...headers },
  );
}

it('ends the session, and leads on to the logout of the authorization server and back', async () => {
  const stack = await startLoginStack();
  const browser = aBrowser();
  await stack.logIn(browser);
  const copied = browser.cookies(stack.origin).get('vestibule_console') ?? '';
  const page = await logOut(stack, browser, await formTokenOf(stack, browser));
  expect(page.status).toBe(200);
  const address = new URL(/^0; url=(.+)$/.exec(page.headers.get('refresh') ?? '')?.[1] ?? '');
  expect(address.origin).toBe(stack.issuer);
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    client_id: 'vestibule-console',
    id_token_hint: expect.stringMatching(/^eyJ/),
    post_logout_redirect_uri: `${stack.origin}/logged-out`,
  });
  expect(page.text).toContain('Log out at the OpenID provider too');
  expect(browser.cookies(stack.origin).has('vestibule_console')).toBe(false);
  const confirmation = await browser.go(address.href);
  expect(confirmation.status).toBe(200);
  // A copy of the cookie has ended too.
  browser.setCookie(stack.origin, 'vestibule_console', copied);
  expect(shownAs(await browser.go(`${stack.origin}/session`))).toBe('login');
});

it('shows the end of the way', async () => {
  const stack = await startLoginStack();
  const page = await aBrowser().go(`${stack.origin}/logged-out`);
  expect([page.status, page.text.includes('You are logged out of the console')]).toEqual([200, true]);
});

it('ends the session here if the provider cannot be reached, and says that the person may be logged in there', async () => {
  const stack = await startLoginStack();
  const other = await stack.anotherInstance();
  const browser = aBrowser();
  await stack.logIn(browser);
  const token = await formTokenOf(stack, browser);
  // An instance that has not read the metadata of the provider.
  browser.setCookie(
    other.origin,
    'vestibule_console',
    browser.cookies(stack.origin).get('vestibule_console') ?? '',
  );
  await stack.provider.server.close();
  const page = await browser.go(`${other.origin}/logout`, { form_token: token }, { origin: stack.origin });
  expect([page.status, page.text.includes('You may still be logged in at the OpenID provider')]).toEqual([
    200,
    true,
  ]);
});

it('refuses forms of other sessions, origins and sites, and leaves the session as it is', async () => {
  const stack = await startLoginStack();
  const [browser, other] = [aBrowser(), aBrowser()];
  await stack.logIn(browser);
  await stack.logIn(other);
  const [token, foreign] = [await formTokenOf(stack, browser), await formTokenOf(stack, other)];
  expect(token).toMatch(/^[A-Za-z0-9]{43}$/);
  const attempts = [
    logOut(stack, browser, ''),
    logOut(stack, browser, foreign),
    logOut(stack, browser, token, { origin: 'https://evil.example' }),
    logOut(stack, browser, token, { origin: 'null' }),
    logOut(stack, browser, token, { 'sec-fetch-site': 'same-site' }),
    logOut(stack, browser, token, { 'sec-fetch-site': 'cross-site' }),
  ];
  for (const { status, text } of await Promise.all(attempts)) {
    expect(status).toBe(403);
    expect(text).toContain('The form is not one of this session');
  }
  expect(shownAs(await browser.go(`${stack.origin}/session`))).toBe('page');
});

it('leads to the end of the way if there is no session', async () => {
  const stack = await startLoginStack();
  expect((await logOut(stack, aBrowser(), 'x')).location).toBe(`${stack.origin}/logged-out`);
});
