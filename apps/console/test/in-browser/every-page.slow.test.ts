import { frozenClock } from '@vestibule/protocol/testing';
import { CHROMIUM } from '@vestibule/testkit/chromium';
import { openSmallFederation } from '@vestibule/testkit/federation';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { allPages } from '../../src/pages/all-pages.js';
import { trustIn } from '../pages/federation/federation-fixture.js';
import { buildTestConsole, type TestConsole } from '../support/build-test-console.js';
import { fillWithHostileRows } from '../support/hostile-rows.js';
import { fillWithHostileClients } from '../support/hostile-store.js';
import { lookAtPage } from './look-at-page.js';
import { anOpenConsole, aPage, type OpenConsole } from './open-console.js';
import { PAGE_KINDS } from './page-kinds.js';
import { visitAudit, visitKeys } from './visit-audit-and-keys.js';
import { visitClients } from './visit-clients.js';
import { visitEndUsers } from './visit-end-users.js';
import { type BeginVisits, visitFailures, visitWithoutDatabase } from './visit-failures.js';
import { visitFederation } from './visit-federation.js';
import { visitTokens } from './visit-tokens.js';
import { pathReader, visits } from './visits.js';

/** A console in a federation, with hostile texts in each table that a page reads. */
async function aHostileConsole() {
  const clock = frozenClock();
  const federation = await openSmallFederation(clock);
  onTestFinished(() => federation.close());
  const open = await anOpenConsole(trustIn(federation), { clock });
  const [first = ''] = await fillWithHostileClients(open.console);
  await fillWithHostileRows(open.console, first);
  return { open, federation };
}

/** Also on a machine that is busy with other work. */
const LONGEST_MS = 600_000;

const routesOf = ({ deps }: TestConsole) => allPages(deps).map(({ method, path }) => `${method} ${path}`);

it.skipIf(CHROMIUM === undefined)(
  'shows every kind of page at 360 and 1440 pixels, light and dark, over hostile texts, without overflow, findings of axe, requests elsewhere or scripts of others',
  async () => {
    const { open, federation } = await aHostileConsole();
    const { console } = open;
    const kinds = new Set<string>();
    const foreign: string[] = [];
    const begin: BeginVisits = (page, origin = open.origin) => {
      page.on('request', (request) => {
        if (!request.url().startsWith(origin)) foreign.push(request.url());
      });
      return visits({
        page,
        origin,
        paths: allPages(console.deps).map(({ path }) => path),
        look: async (kind) => {
          if (kinds.has(kind)) return;
          kinds.add(kind);
          await lookAtPage(page, kind);
        },
      });
    };
    const asAdmin = async () => begin(await aPage(open, 'admin'));
    const [one, other] = [await asAdmin(), await asAdmin()];
    const first = async () => {
      await visitClients(one, console);
      await visitFailures(open, begin);
      await visitWithoutDatabase(open, begin);
    };
    const second = async () => {
      await visitTokens(other, console);
      await visitEndUsers(other);
      await visitFederation(other, federation);
      await visitAudit(other, console);
      await visitKeys(other, console);
    };
    await Promise.all([first(), second()]);
    expect([...kinds].sort()).toEqual([...PAGE_KINDS].sort());
    expect(foreign).toEqual([]);
  },
  LONGEST_MS,
);

it('lists a kind of page for each page and action of the console', async () => {
  for (const route of routesOf(await buildTestConsole()))
    expect(
      PAGE_KINDS.some((kind) => kind.startsWith(`${route} `) || kind.startsWith(`${route}, `)),
      route,
    ).toBe(true);
});

/** More than the viewer can reach; lists lead to many pages of one kind. */
const MAX_PAGES = 80;

/** Visits the pages that can be reached by links, each kind of page at most three times. */
async function visitLinks(
  { origin, console }: OpenConsole,
  page: Page,
  look: () => Promise<void>,
): Promise<void> {
  const pathOf = pathReader(allPages(console.deps).map(({ path }) => path));
  const [queue, seen, kinds] = [[`${origin}/`], new Set<string>(), new Map<string, number>()];
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    const kind = pathOf(address);
    const count = kinds.get(kind) ?? 0;
    if (seen.has(address) || count >= 3 || seen.size >= MAX_PAGES) continue;
    kinds.set(kind, count + 1);
    seen.add(address);
    expect.soft((await page.goto(address))?.status(), address).toBe(200);
    await look();
    queue.push(
      ...(await page.evaluate(
        (own) =>
          [...document.querySelectorAll<HTMLAnchorElement>('a[href]')]
            .map(({ href }) => href.split('#')[0] ?? '')
            .filter((href) => href.startsWith(own)),
        origin,
      )),
    );
  }
}

it.skipIf(CHROMIUM === undefined)(
  'shows every page to a viewer without a form that a viewer may not send',
  async () => {
    const { open } = await aHostileConsole();
    const page = await aPage(open, 'viewer');
    const actions = new Set<string>();
    await visitLinks(open, page, async () => {
      for (const action of await page.evaluate(() =>
        [...document.querySelectorAll<HTMLFormElement>('form[method=post]')].map(
          (form) => new URL(form.action).pathname,
        ),
      ))
        actions.add(action);
    });
    expect([...actions]).toEqual(expect.arrayContaining(['/token', '/audit/verify', '/logout']));
    for (const action of actions) {
      if (action === '/logout') continue;
      const response = await open.console.post(action, {}, 'viewer');
      expect(response.status, action).not.toBe(403);
    }
  },
);
