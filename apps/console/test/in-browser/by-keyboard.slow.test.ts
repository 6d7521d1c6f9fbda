import { operatorActor } from '@vestibule/clients';
import { importClient } from '@vestibule/clients/import';
import { changeClientStatus } from '@vestibule/clients/management';
import { parseClientId } from '@vestibule/protocol';
import { CHROMIUM } from '@vestibule/testkit/chromium';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { TestConsole } from '../support/build-test-console.js';
import { anOpenConsole, aPage } from './open-console.js';

/** More than any page has. */
const MAX_STOPS = 150;

/** What has the focus: its name, and whether the focus can be seen. */
function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const label = element.id === '' ? null : document.querySelector(`label[for="${element.id}"]`);
    return {
      name: (label?.textContent ?? element.textContent ?? '').trim(),
      isVisible: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
    };
  });
}

/** Presses Tab until what has this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    const at = await focused(page);
    if (at.name !== name) continue;
    expect(at.isVisible, `the focus on "${name}"`).toBe(true);
    return;
  }
  throw new Error(`The Tab key does not reach "${name}" on ${page.url()}.`);
}

/** Opens a link or presses a button, and waits for the next page. */
async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name);
  await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')]);
  await page.waitForLoadState();
}

/** Replaces the text of a field. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

/** A client that an operator has suspended. */
async function aSuspendedClient({ deps }: TestConsole): Promise<void> {
  const operator = operatorActor('fixture');
  await importClient(deps.registration, {
    client: {
      kind: 'client',
      id: 'shop',
      metadata: { client_name: 'Shop', redirect_uris: ['https://shop.example/cb'] },
      secret: { kind: 'none' },
      warnings: [],
    },
    operator,
    replacesExisting: false,
    issuesNewSecrets: true,
  });
  const id = parseClientId('shop');
  if (id === undefined) throw new TypeError('not an identifier');
  await changeClientStatus(deps.registration, { id, operator, status: 'suspended' });
}

it.skipIf(CHROMIUM === undefined)(
  'lets an operator do the work of a day with the keyboard alone, with a visible focus',
  async () => {
    const open = await anOpenConsole();
    await aSuspendedClient(open.console);
    const page = await aPage(open, 'admin');
    await page.goto(`${open.origin}/`);

    await press(page, 'Clients');
    await press(page, 'Shop');
    await press(page, 'Resume');
    expect(await page.locator('.state').first().textContent()).toBe('active');

    await press(page, 'Edit');
    await type(page, 'Name', 'Bookshop');
    await press(page, 'Save');
    expect(await heading(page)).toBe('Bookshop');

    await press(page, 'Initial tokens');
    await press(page, 'Issue an initial access token');
    await type(page, 'Further rights', 'client-reg:grant:code');
    await press(page, 'Issue');
    expect(await page.locator('main').textContent()).toContain('Shown once');

    await press(page, 'A token');
    await type(page, 'Access token', 'not-a-token');
    await press(page, 'Explain the token');
    expect(await page.locator('.state').first().textContent()).toBe('not active');

    await press(page, 'End-users');
    await type(page, 'Subject', 'alice');
    await press(page, 'Find the end-user');
    expect(await page.locator('main').textContent()).toContain('alice');

    await press(page, 'Audit');
    await type(page, 'Actor', 'operator:a-admin');
    await press(page, 'Show');
    expect(await page.locator('main').textContent()).toContain('client.resumed');

    await press(page, 'Keys');
    expect(await heading(page)).toBe('Keys');

    await press(page, 'Clients');
    await press(page, 'Bookshop');
    await press(page, 'Delete');
    await type(page, 'To confirm, type shop', 'shop');
    await press(page, 'Delete');
    expect(await heading(page)).toBe('Clients');
    expect(await page.getByRole('status').textContent()).toMatch(/deleted/i);
  },
);
