import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { fillWithHostileClients } from '../support/hostile-store.js';
import { anOpenConsole, aPage, type OpenConsole, PROGRAM } from './open-console.js';

const WIDTHS = [360, 1440] as const;
const SCHEMES = ['light', 'dark'] as const;
/** Enough for every kind of page; lists lead to many pages of one kind. */
const MAX_PAGES = 80;

/** The addresses of the pages that a page links to, without their fragments. */
function linksOf(page: Page, origin: string): Promise<readonly string[]> {
  return page.evaluate(
    (own) =>
      [...document.querySelectorAll<HTMLAnchorElement>('a[href]')]
        .map(({ href }) => href.split('#')[0] ?? '')
        .filter((href) => href.startsWith(own)),
    origin,
  );
}

/** Visits every page that can be reached by links, each kind of page at most three times. */
async function visitAll(
  { origin }: OpenConsole,
  page: Page,
  look: (address: string) => Promise<void>,
): Promise<readonly string[]> {
  const [queue, seen, kinds] = [[`${origin}/`], new Set<string>(), new Map<string, number>()];
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    const { pathname } = new URL(address);
    const kind = pathname.replaceAll(/hostile-\d+|[\w-]{16,}|\d+/g, ':id');
    const count = kinds.get(kind) ?? 0;
    if (seen.has(address) || count >= 3 || seen.size >= MAX_PAGES || pathname === '/login') continue;
    kinds.set(kind, count + 1);
    seen.add(address);
    const response = await page.goto(address);
    const type = response?.headers()['content-type'] ?? '';
    if (!type.startsWith('text/html')) continue;
    expect.soft(response?.status(), address).toBe(200);
    await look(address);
    queue.push(...(await linksOf(page, origin)));
  }
  return [...kinds.keys()];
}

const axe = () => readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  }>;
}

it.skipIf(PROGRAM === undefined)(
  'shows every page at 360 and 1440 pixels, light and dark, without overflow, findings of axe, requests elsewhere or scripts of others',
  async () => {
    const open = await anOpenConsole();
    await fillWithHostileClients(open.console);
    const source = await axe();
    const { page, foreign } = await aPage(open, 'admin');
    const kinds = await visitAll(open, page, async (address) => {
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect.soft(overflow, `${address} at ${width}`).toBeLessThanOrEqual(0);
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme });
          await page.evaluate(source);
          const findings = await page.evaluate(async () => {
            const { axe: program } = globalThis as unknown as { readonly axe: Axe };
            return (await program.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
          });
          expect.soft(findings, `${address} at ${width}, ${colorScheme}`).toEqual([]);
        }
      }
      expect(await page.evaluate(() => 'harmed' in globalThis), address).toBe(false);
    });
    expect(foreign).toEqual([]);
    expect(kinds.length).toBeGreaterThan(10);
  },
);

it.skipIf(PROGRAM === undefined)(
  'shows every page to a viewer without a form that a viewer may not send',
  async () => {
    const open = await anOpenConsole();
    await fillWithHostileClients(open.console);
    const { page } = await aPage(open, 'viewer');
    const actions = new Set<string>();
    await visitAll(open, page, async () => {
      for (const action of await page.evaluate(() =>
        [...document.querySelectorAll<HTMLFormElement>('form[method=post]')].map(
          (form) => new URL(form.action).pathname,
        ),
      ))
        actions.add(action);
    });
    for (const action of actions) {
      if (action === '/logout') continue;
      const response = await open.console.post(action, {}, 'viewer');
      expect(response.status, action).not.toBe(403);
    }
  },
);
