import { expect, it } from 'vitest';
import { aBrowser, startLoginStack } from '../support/login-fixture.js';
import { storedEvents } from '../support/stored-events.js';

it('logs a person in at the authorization server, registers its client before, and shows the page that was wanted', async () => {
  const stack = await startLoginStack();
  const browser = aBrowser();
  const wanted = await browser.go(`${stack.origin}/session?q=a+b`);
  expect(wanted.location).toBe(`${stack.origin}/login?to=%2Fsession%3Fq%3Da%2Bb`);
  const begun = await browser.go(wanted.location ?? '');
  const request = new URL(begun.location ?? '');
  expect(request.origin).toBe(stack.issuer);
  expect(Object.fromEntries(request.searchParams)).toMatchObject({
    client_id: 'vestibule-console',
    redirect_uri: `${stack.origin}/login/callback`,
    response_type: 'code',
    code_challenge_method: 'S256',
    scope: 'openid profile',
    nonce: expect.stringMatching(/^[A-Za-z0-9]{43}$/),
  });
  const back = await stack.atProvider(browser, begun);
  const landed = await browser.go(back.location ?? '');
  expect([landed.status, landed.location]).toEqual([303, `${stack.origin}/session?q=a+b`]);
  expect([...browser.cookies(stack.origin).keys()]).toEqual(['vestibule_console']);
  const events = await storedEvents(stack.console);
  expect(events).toContainEqual(
    expect.objectContaining({ actor: 'operator:console', action: 'client.registered' }),
  );
  expect(events.at(-1)).toMatchObject({
    actor: 'operator:alice',
    action: 'console.logged_in',
    details: { role: 'admin' },
  });
});

it('sets cookies that scripts cannot read, and only over https where the console has https', async () => {
  const stack = await startLoginStack();
  const begun = await aBrowser().go(`${stack.origin}/login`);
  expect(begun.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^vestibule_console_login_[0-9A-Za-z]{14}=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    ),
  ]);
  expect(begun.headers.get('cache-control')).toBe('no-store');
});

it('leads nowhere but to pages of the console', async () => {
  const stack = await startLoginStack();
  for (const to of ['//evil.example', '/\\evil.example', 'https://evil.example/', '/\t/evil.example'])
    expect((await stack.logIn(aBrowser(), { to })).location, to).toBe(`${stack.origin}/`);
});

it('logs in in several tabs at the same time, and keeps no more than five attempts', async () => {
  const stack = await startLoginStack();
  const browser = aBrowser();
  const tabs = [];
  for (const to of ['/clients', '/keys']) tabs.push(await browser.go(`${stack.origin}/login?to=${to}`));
  const backs = [];
  for (const tab of tabs) backs.push(await stack.atProvider(browser, tab));
  const landed = [];
  for (const { location } of backs.toReversed()) landed.push((await browser.go(location ?? '')).location);
  expect(landed).toEqual([`${stack.origin}/keys`, `${stack.origin}/clients`]);
  for (let tab = 0; tab < 8; tab += 1) await browser.go(`${stack.origin}/login?fresh=yes`);
  const attempts = [...browser.cookies(stack.origin).keys()].filter((name) => name.includes('login'));
  expect(attempts).toHaveLength(5);
});

it('opens a new session at each login, whatever cookie the browser brings', async () => {
  const stack = await startLoginStack();
  const [browser, attacker] = [aBrowser(), aBrowser()];
  await stack.logIn(attacker);
  const planted = attacker.cookies(stack.origin).get('vestibule_console') ?? '';
  browser.setCookie(stack.origin, 'vestibule_console', planted);
  const begun = await browser.go(`${stack.origin}/login?fresh=yes`);
  await browser.go((await stack.atProvider(browser, begun)).location ?? '');
  expect(browser.cookies(stack.origin).get('vestibule_console')).not.toBe(planted);
});

it('needs no second login while there is a session, unless another person wants to log in', async () => {
  const stack = await startLoginStack();
  const browser = aBrowser();
  await stack.logIn(browser);
  expect((await browser.go(`${stack.origin}/login?to=/keys`)).location).toBe(`${stack.origin}/keys`);
  const fresh = new URL((await browser.go(`${stack.origin}/login?fresh=yes`)).location ?? '');
  expect([fresh.origin, fresh.searchParams.get('prompt')]).toEqual([stack.issuer, 'login']);
});

it('shows a person without a role which claim is missing, and nothing of the login, and opens no session', async () => {
  const stack = await startLoginStack();
  const browser = aBrowser();
  const page = await stack.logIn(browser, { person: 'bob' });
  expect([page.status, page.headers.get('location')]).toEqual([403, null]);
  expect(page.text).toContain('The claim <code>sub</code> of your login has none of the values');
  expect(page.text).not.toMatch(/bob|quinn|alice/i);
  expect([...browser.cookies(stack.origin).keys()]).toEqual([]);
  expect((await storedEvents(stack.console)).map(({ action }) => action)).not.toContain('console.logged_in');
});

it('keeps codes, tokens, nonces and cookies out of the log', async () => {
  const stack = await startLoginStack();
  const browser = aBrowser();
  const begun = await browser.go(`${stack.origin}/login`);
  const back = await stack.atProvider(browser, begun);
  await browser.go(back.location ?? '');
  await browser.go(`${stack.origin}/keys`);
  const log = stack.console.log();
  const secrets = [
    new URL(begun.location ?? '').searchParams.get('nonce'),
    new URL(back.location ?? '').searchParams.get('code'),
    browser.cookies(stack.origin).get('vestibule_console'),
  ];
  expect(log).toContain('console_login');
  for (const secret of secrets) expect(log).not.toContain(secret ?? 'absent');
  expect(log).not.toMatch(/eyJ[\w-]+\.eyJ/);
});
