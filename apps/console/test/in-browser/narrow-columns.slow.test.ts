import { operatorActor } from '@vestibule/clients';
import { changeClient, rotateRegistrationToken } from '@vestibule/clients/management';
import { operatorAuthority, registerClient } from '@vestibule/clients/registration';
import { CHROMIUM } from '@vestibule/testkit/chromium';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { anOpenConsole, aPage } from './open-console.js';

/** A phone, a tablet, the narrowest window with tables, and wider ones. */
const WIDTHS = [360, 768, 961, 1024, 1440];

/** Words of names that stand in more than one line. */
function brokenWords(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const broken: string[] = [];
    for (const name of document.querySelectorAll('main .name'))
      for (const node of name.childNodes)
        for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(/[a-z]+/gi)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (range.getClientRects().length > 1) broken.push(`${word} of ${name.textContent}`);
        }
    return broken;
  });
}

/** What is wider than the element around it: the page in the window, and tables in their sections. */
function overflowing(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('section')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName, textContent }) => `${tagName} ${textContent?.trim().slice(0, 20)}`),
  );
}

it.skipIf(CHROMIUM === undefined)(
  'breaks no word of an audit event in a narrow column, and fits the window',
  async () => {
    const open = await anOpenConsole();
    const { registration } = open.console.deps;
    const operator = operatorActor('jane.of-the-night-shift');
    const { information } = await registerClient(registration, {
      authority: operatorAuthority(operator),
      body: { client_name: 'Shop', redirect_uris: ['https://shop.example/cb'] },
    });
    const id = information.client_id;
    await rotateRegistrationToken(registration, { id, operator });
    await changeClient(registration, {
      id,
      operator,
      change: ({ metadata }) => ({
        ...metadata,
        post_logout_redirect_uris: ['https://shop.example/logged-out'],
        token_endpoint_auth_method: 'client_secret_post',
      }),
    });
    const page = await aPage(open, 'viewer');
    await page.goto(`${open.origin}/audit`);
    const event = (await page.locator('a[href^="/audit/events/"]').first().getAttribute('href')) ?? '';
    for (const path of ['/audit', event, `/clients/${id}`, `/clients/${id}/history`]) {
      await page.goto(open.origin + path);
      expect(await page.locator('main .name').count()).toBeGreaterThan(2);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const where = `${path} at ${width}`;
        expect.soft(await brokenWords(page), where).toEqual([]);
        expect.soft(await overflowing(page), where).toEqual([]);
      }
    }
  },
);
