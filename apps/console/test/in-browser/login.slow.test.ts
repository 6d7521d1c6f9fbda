import { installedChromium } from '@vestibule/local-services';
import { chromium } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { startLoginStack } from '../support/login-fixture.js';

const PROGRAM = await installedChromium();

it.skipIf(PROGRAM === undefined)(
  'logs in by the pages of the authorization server, and out through its logout page, with nothing blocked by a policy',
  async () => {
    const stack = await startLoginStack();
    const browser = await chromium.launch({ executablePath: String(PROGRAM), chromiumSandbox: false });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
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
