import { CHROMIUM, openPage, startChromium } from '@vestibule/testkit/chromium';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { LOGIN_PATH } from '../../src/login/console-paths.js';
import { type LoginStack, startLoginStack } from '../support/login-fixture.js';
import { lookAtPage } from './look-at-page.js';
import { LOGIN_PAGE_KINDS } from './page-kinds.js';
import { type Visits, visits } from './visits.js';

/** More than one person, or one network, may send in a minute. */
const TOO_MANY = 121;
const MAX_ATTEMPTS = 10;

it.skipIf(CHROMIUM === undefined)(
  'shows every page of the login and the logout at 360 and 1440 pixels, light and dark, without overflow and findings of axe',
  async () => {
    const stack = await startLoginStack();
    const browser = await startChromium();
    const kinds = new Set<string>();
    const begin = async (at = stack) => beginVisits(at, await browser.newContext(), kinds);
    await visitRefusedLogins(stack, await begin());
    await visitWithoutRole(stack, await begin());
    await visitSession(stack, await begin(), kinds);
    await visitUnreachableProvider(stack, await begin());
    const other = await startLoginStack();
    await visitTooManyLogins(other, await begin(other), kinds);
    expect([...kinds].sort()).toEqual([...LOGIN_PAGE_KINDS].sort());
  },
);

it('lists a kind of page for each address of the login and the logout', () => {
  const { backchannelLogout: _, ...pages } = LOGIN_PATH;
  for (const path of Object.values(pages))
    expect(
      LOGIN_PAGE_KINDS.some((kind) => kind.split(' ')[1] === path),
      path,
    ).toBe(true);
});

async function beginVisits(
  { origin }: LoginStack,
  context: BrowserContext,
  kinds: Set<string>,
): Promise<Visits> {
  const page = await openPage(context);
  return visits({
    page,
    origin,
    paths: [...Object.values(LOGIN_PATH), '/audit', '/audit/verify', '/session'],
    look: async (kind) => {
      // Pages of the provider, and of actions that were admitted once more.
      if (kind.includes('no route') || kind === 'POST /audit/verify 200') return;
      kinds.add(kind);
      await lookAtPage(page, kind);
    },
  });
}

/** Begins a login, as far as the page of the provider. @returns its state */
async function beginLogin({ origin, issuer }: LoginStack, page: Page): Promise<string> {
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.url().startsWith(issuer)),
    page.goto(`${origin}/login?to=/session`),
  ]);
  return new URL(request.url()).searchParams.get('state') ?? '';
}

async function visitRefusedLogins(stack: LoginStack, { open, page }: Visits): Promise<void> {
  await open('/login/callback?state=none');
  for (const [parameters, shown] of [
    [{ error: 'access_denied' }, 'The login was cancelled'],
    [{ error: 'invalid_scope' }, 'The OpenID provider refused the login'],
    [{ code: 'none', iss: 'https://other.example' }, 'The login could not be verified'],
  ] as const) {
    const state = await beginLogin(stack, page);
    await open(`/login/callback?${new URLSearchParams({ state, iss: stack.issuer, ...parameters })}`, shown);
  }
}

/** Logs in at the pages of the provider, as far as the button that leads back. */
async function logInAtProvider(stack: LoginStack, page: Page, person: string): Promise<void> {
  await beginLogin(stack, page);
  await page.getByLabel('Username').fill(person);
  await page.getByLabel('Password').fill(person);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.locator('button[value=consent]').waitFor();
}

const consent = (page: Page) => page.locator('button[value=consent]').click();

async function visitWithoutRole(stack: LoginStack, { arrive, page }: Visits): Promise<void> {
  await logInAtProvider(stack, page, 'bob');
  await arrive(() => consent(page), 'You have no role in this console');
}

async function visitSession(
  { issuer, ...stack }: LoginStack,
  visited: Visits,
  kinds: ReadonlySet<string>,
): Promise<void> {
  const { arrive, open, press, send, page } = visited;
  await logInAtProvider({ issuer, ...stack }, page, 'alice');
  await consent(page);
  await page.waitForURL(`${stack.origin}/session`);
  await page.goto(`${stack.origin}/audit`);
  for (let attempts = 0; attempts < MAX_ATTEMPTS && !kinds.has('POST /audit/verify 429'); attempts += 1) {
    await page.evaluate(async (count) => {
      const token = document.querySelector<HTMLInputElement>('[name=form_token]')?.value ?? '';
      const body = new URLSearchParams({ form_token: token });
      for (let sent = 0; sent < count; sent += 1) await fetch('/audit/verify', { method: 'POST', body });
    }, TOO_MANY);
    await press('Verify the chain');
  }
  await send('/logout', { form_token: 'of another session' });
  await page.goto(`${stack.origin}/session`);
  // The page leads on to the provider at once: a response without content keeps it.
  await page.route(
    ({ href }) => href.startsWith(issuer),
    (route) => route.fulfill({ status: 204 }),
  );
  await arrive(() => page.getByRole('button', { name: 'Log out' }).click());
  await open('/logged-out');
}

async function visitUnreachableProvider(stack: LoginStack, { open, page }: Visits): Promise<void> {
  const state = await beginLogin(stack, page);
  await stack.provider.server.close();
  await open(
    `/login/callback?${new URLSearchParams({ state, iss: stack.issuer, code: 'none' })}`,
    'The OpenID provider cannot be reached',
  );
}

/** Requests are admitted again one by one; those lead to the provider. */
async function visitTooManyLogins({ origin }: LoginStack, { open }: Visits, kinds: ReadonlySet<string>) {
  for (let attempts = 0; attempts < MAX_ATTEMPTS && !kinds.has('GET /login 429'); attempts += 1) {
    for (let sent = 0; sent < TOO_MANY; sent += 1)
      await (await fetch(`${origin}/login/callback?state=none`)).text();
    await open('/login');
  }
}
