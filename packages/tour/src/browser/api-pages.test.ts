import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumProgram, freePort } from '@vestibule/local-services';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStackProcess } from '../stack/stack-process.js';

const SERVICES = ['registration', 'introspection', 'authorization', 'federation', 'logout'];
const closers: (() => Promise<unknown>)[] = [];
let browser: Browser;
let baseUrl: string;
let master: string;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-pages-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const port = String(await freePort());
  const program = { app: 'standalone', announcement: 'Vestibule is ready' } as const;
  const server = startStackProcess(program, { DATA_DIR: folder, PORT: port, MANAGEMENT_PORT: '0' });
  closers.push(server.stop);
  await server.ready;
  baseUrl = `http://localhost:${port}`;
  master = (await readFile(join(folder, 'master-token'), 'utf8')).trim();
  browser = await chromium.launch({
    executablePath: await chromiumProgram(() => undefined),
    chromiumSandbox: false,
  });
  closers.push(() => browser.close());
});

afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

/** The page of a service, with every operation open; with the master token where that is wanted. */
async function openPage(service: string, colorScheme: 'light' | 'dark', token?: string): Promise<Page> {
  const page = await browser.newPage({ colorScheme });
  page.setDefaultTimeout(120_000);
  await page.goto(`${baseUrl}/.well-known/openapi/${service}`);
  await page.locator('.opblock').first().waitFor();
  if (token !== undefined) {
    await page.locator('.btn.authorize').first().click();
    await page
      .locator('.auth-container input[type=text], .auth-container input[type=password]')
      .first()
      .fill(token);
    await page.locator('.auth-btn-wrapper .authorize').first().click();
    await page.locator('.btn-done').first().click();
  }
  for (const operation of await page.locator('.opblock .opblock-summary-control').all())
    await operation.click();
  await page.locator('.responses-inner').last().waitFor();
  return page;
}

/** What axe finds serious or critical on a page as it is shown: the rule, and the element. */
function seriousFindings(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { readonly axe: Axe };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

interface Axe {
  run(): Promise<{ readonly violations: readonly Finding[] }>;
}

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/** Presses "Execute" of an operation as the page offers it. @returns the status of the response */
async function execute(page: Page, method: string, path: string): Promise<number> {
  const operation = page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) });
  const block = operation.and(page.locator(`.opblock-${method}`));
  const [response] = await Promise.all([
    page.waitForResponse((answer) => answer.request().method().toLowerCase() === method),
    block.locator('.btn.execute').click(),
  ]);
  return response.status();
}

describe('the API pages', () => {
  it.each(['light', 'dark'] as const)('follow the colour scheme of the browser: %s', async (colorScheme) => {
    const page = await openPage('logout', colorScheme);
    const shown = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    expect(shown === 'dark').toBe(colorScheme === 'dark');
    await page.close();
  });

  it.each(SERVICES)(
    'have nothing in %s that assistive technology stumbles over, in light and dark',
    async (service) => {
      const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await openPage(service, colorScheme);
        await page.evaluate(await readFile(axe, 'utf8'));
        expect(await seriousFindings(page), colorScheme).toEqual([]);
        await page.close();
      }
    },
  );

  it.each(SERVICES)('offer in %s no request that nobody would send', async (service) => {
    const page = await openPage(service, 'light');
    const bodies = await page.locator('.body-param__text').all();
    const fields = await page.locator('.opblock-section-request-body input[type=text]').all();
    for (const field of [...bodies, ...fields]) expect(await field.inputValue()).not.toMatch(/\bstring\b/);
    const samples = await page.locator('.responses-inner .microlight').allTextContents();
    for (const sample of samples) expect(sample).not.toMatch(/"string"/);
    await page.close();
  });

  it.each([
    ['registration', '/clients', 200],
    ['authorization', '/direct-authz', 200],
    ['authorization', '/direct-authz/revoke', 204],
    ['authorization', '/direct-authz/sessions', 200],
  ])('carry out in %s POST %s as they offer it', async (service, path, status) => {
    const page = await openPage(service, 'light', master);
    expect(await execute(page, 'post', path)).toBe(status);
    await page.close();
  });
});
