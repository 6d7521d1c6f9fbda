import { CHROMIUM, openPage, startChromium } from '@vestibule/testkit/chromium';
import { expect, it } from 'vitest';
import { startLoginStack } from '../support/login-fixture.js';

it.skipIf(CHROMIUM === undefined)(
  'logs in by the pages of the authorization server, and out through its logout page, with nothing blocked by a policy',
  async () => {
    const stack = await startLoginStack();
    const browser = await startChromium();
    const page = await openPage(await browser.newContext());
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(`${stack.origin}/session`);
    await page.getByLabel('Username').fill('alice');
    await page.getByLabel('Password').fill('alice');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.locator('button[value=consent]').click();
    await page.waitForURL(`${stack.origin}/session`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Your session');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL(({ href }) => href.startsWith(`${stack.issuer}/logout`));
    await page.locator('button[value=accept]').click();
    await page.waitForURL(({ href }) => href.startsWith(`${stack.origin}/logged-out`));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'You are logged out of the console',
    );
    await page.goto(`${stack.origin}/session`);
    expect(new URL(page.url()).origin).toBe(stack.issuer);
    expect(complaints).toEqual([]);
  },
);
