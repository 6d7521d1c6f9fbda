import { expect, it } from 'vitest';
import { aBrowser, startLoginStack } from '../support/login-fixture.js';

it('refuses a response for a login that began in another browser', async () => {
  const stack = await startLoginStack();
  const [attacker, victim] = [aBrowser(), aBrowser()];
  const begun = await attacker.go(`${stack.origin}/login`);
  const { location = '' } = await stack.atProvider(attacker, begun);
  const page = await victim.go(location);
  expect([page.status, page.text.includes('it began in another browser')]).toEqual([400, true]);
  expect(victim.cookies(stack.origin).size).toBe(0);
});

it.each([
  ['without state', () => ''],
  ['with an unknown state', () => 'state=unknown'],
  [
    'with the state of another login',
    (state: string) => `state=${state.startsWith('x') ? 'y' : 'x'}${state.slice(1)}`,
  ],
])('refuses a response %s', async (_name, query) => {
  const stack = await startLoginStack();
  const browser = aBrowser();
  const begun = await browser.go(`${stack.origin}/login`);
  const state = new URL(begun.location ?? '').searchParams.get('state') ?? '';
  const page = await browser.go(`${stack.origin}/login/callback?code=c&${query(state)}`);
  expect([page.status, page.text.includes('This login is not valid here')]).toEqual([400, true]);
});

it('refuses a response whose cookie was changed', async () => {
  const stack = await startLoginStack();
  const browser = aBrowser();
  const begun = await browser.go(`${stack.origin}/login`);
  const { location = '' } = await stack.atProvider(browser, begun);
  const [[name = '', value = ''] = []] = [...browser.cookies(stack.origin)];
  browser.setCookie(stack.origin, name, value.slice(0, -2) + (value.endsWith('AA') ? 'BB' : 'AA'));
  expect((await browser.go(location)).status).toBe(400);
});

it('takes a response once', async () => {
  const stack = await startLoginStack();
  const browser = aBrowser();
  const begun = await browser.go(`${stack.origin}/login`);
  const attempts = [...browser.cookies(stack.origin)];
  const { location = '' } = await stack.atProvider(browser, begun);
  expect((await browser.go(location)).status).toBe(303);
  expect((await browser.go(location)).status).toBe(400);
  // Even with the cookie of the attempt: the provider has taken the code back.
  for (const [name, value] of attempts) browser.setCookie(stack.origin, name, value);
  const again = await browser.go(location);
  expect([
    again.status,
    again.headers.getSetCookie().some((line) => /^vestibule_console=/.test(line)),
  ]).toEqual([502, false]);
});

it('refuses an ID token with another nonce', async () => {
  const stack = await startLoginStack();
  const browser = aBrowser();
  const begun = await browser.go(`${stack.origin}/login`);
  const address = new URL(begun.location ?? '');
  address.searchParams.set('nonce', 'n'.repeat(43));
  const { location = '' } = await stack.atProvider(browser, { ...begun, location: address.href });
  const page = await browser.go(location);
  expect([page.status, page.text.includes('The login could not be verified')]).toEqual([502, true]);
  expect(browser.cookies(stack.origin).has('vestibule_console')).toBe(false);
});

it('refuses a code for another PKCE verifier', async () => {
  const stack = await startLoginStack();
  const browser = aBrowser();
  const begun = await browser.go(`${stack.origin}/login`);
  const address = new URL(begun.location ?? '');
  address.searchParams.set('code_challenge', 'c'.repeat(43));
  const { location = '' } = await stack.atProvider(browser, { ...begun, location: address.href });
  expect((await browser.go(location)).status).toBe(502);
});

it('refuses a response with the issuer of another provider', async () => {
  const stack = await startLoginStack();
  const browser = aBrowser();
  const begun = await browser.go(`${stack.origin}/login`);
  const { location = '' } = await stack.atProvider(browser, begun);
  const address = new URL(location);
  address.searchParams.set('iss', 'https://evil.example');
  expect((await browser.go(address.href)).status).toBe(502);
});

it('says that the login was cancelled, and shows no other text from the address', async () => {
  const stack = await startLoginStack();
  const browser = aBrowser();
  const responseTo = async (parameters: Readonly<Record<string, string>>) => {
    const begun = await browser.go(`${stack.origin}/login?to=/clients`);
    const state = new URL(begun.location ?? '').searchParams.get('state') ?? '';
    return browser.go(
      `${stack.origin}/login/callback?${new URLSearchParams({ state, iss: stack.issuer, ...parameters })}`,
    );
  };
  const cancelled = await responseTo({ error: 'access_denied', error_description: 'Call 555' });
  expect([cancelled.status, cancelled.text.includes('The login was cancelled')]).toEqual([403, true]);
  expect(cancelled.text).toContain('href="/login?to=%2Fclients"');
  expect(cancelled.text).not.toContain('555');
  const refused = await responseTo({ error: '<b>Call 555' });
  expect([refused.status, refused.text.includes('555')]).toEqual([502, false]);
});

it('says that the provider cannot be reached, and works as soon as it can', async () => {
  const stack = await startLoginStack();
  const browser = aBrowser();
  const begun = await browser.go(`${stack.origin}/login`);
  const { location = '' } = await stack.atProvider(browser, begun);
  await stack.provider.server.close();
  const page = await browser.go(location);
  expect([page.status, page.text.includes('The OpenID provider cannot be reached')]).toEqual([502, true]);
  expect(page.text).toContain('Try again');
  expect(stack.console.log()).toContain('the OpenID provider failed');
});

it('limits how often a network may log in', async () => {
  const stack = await startLoginStack();
  const statuses = new Set<number>();
  let limited: Response | undefined;
  let admitted = 0;
  const begunMs = performance.now();
  // 120 at once, and two more with each second: parallel ones exceed it however long they take.
  while (limited === undefined) {
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => fetch(`${stack.origin}/login/callback?state=x`)),
    );
    for (const { status } of responses) statuses.add(status);
    admitted += responses.filter(({ status }) => status !== 429).length;
    limited = responses.find(({ status }) => status === 429);
  }
  expect([...statuses].toSorted()).toEqual([400, 429]);
  expect(admitted).toBeGreaterThanOrEqual(120);
  expect(admitted).toBeLessThanOrEqual(121 + ((performance.now() - begunMs) / 1_000) * 2);
  expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});
