import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumProgram, freePort } from '@vestibule/local-services';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../stack/root.js';
import { startStackProcess } from '../stack/stack-process.js';

const SERVICES = ['registration', 'introspection', 'authorization', 'federation', 'logout'];

/**
 * Failed requests with the default values on the local stack, where federation is disabled and the example of imported
 * tokens names a client to fill in. All others succeed.
 */
const FAILURES: Readonly<Record<string, number>> = {
  'POST /direct-authz/tokens': 400,
  'POST /federation/clients': 400,
  'GET /.well-known/openid-federation': 404,
  'GET /jwks.jwt': 404,
  'GET /federation/historical-keys': 404,
  'POST /federation/explain': 400,
  'POST /federation/explain/page': 401,
};

/** The colour schemes, with the rules of axe whose outcome they change; default: all rules. */
const SCHEMES = [
  { colorScheme: 'light', rules: undefined },
  { colorScheme: 'dark', rules: ['color-contrast', 'link-in-text-block'] },
] as const;

const closers: (() => Promise<unknown>)[] = [];
let browser: Browser;
let baseUrl: string;
let master: string;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-pages-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const port = String(await freePort());
  const program = { app: 'standalone', readyOutput: 'Vestibule is ready' } as const;
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

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

interface DocumentedOperation {
  readonly parameters?: readonly DocumentedParameter[];
  readonly responses: Readonly<Record<string, unknown>>;
}

interface DocumentedParameter {
  readonly name: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema: { readonly default?: unknown };
}

/**
 * The expected results of "Execute" by method and path, from the committed API document: the first documented status,
 * which is that of a success, or the required parameters without a value.
 */
async function documentedOutcomes(service: string): Promise<Record<string, unknown>> {
  const document: ApiDocument = JSON.parse(
    await readFile(join(ROOT, 'apps', service, 'openapi.json'), 'utf8'),
  );
  const outcomes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], responses }]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const empty = parameters.filter(isEmpty).map((parameter) => parameter.name);
      const status = FAILURES[name] ?? Number(Object.keys(responses)[0]);
      return [name, empty.length > 0 ? empty : status] as const;
    }),
  );
  return Object.fromEntries(outcomes);
}

function isEmpty({ required = false, example, schema }: DocumentedParameter): boolean {
  return required && example === undefined && schema.default === undefined;
}

/** Registers a resource server. @returns its identifier and its secret */
async function resourceServer(): Promise<readonly string[]> {
  const response = await fetch(`${baseUrl}/clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${master}`, 'content-type': 'application/json' },
    body: JSON.stringify({ grant_types: ['client_credentials'], scope: `${baseUrl}/token/introspect` }),
  });
  const { client_id: id, client_secret: secret }: Readonly<Record<string, string>> = JSON.parse(
    await response.text(),
  );
  return [id ?? '', secret ?? ''];
}

/** The pages that tests share, by service, in the light scheme and with every operation open: rendering takes seconds. */
const pages = new Map<string, Promise<Page>>();

function sharedPage(service: string): Promise<Page> {
  const page = pages.get(service) ?? openPage(service, 'light');
  pages.set(service, page);
  return page;
}

/** Enters the credentials of the first security scheme. */
async function authorize(page: Page, credential: readonly string[]): Promise<void> {
  await page.locator('.btn.authorize').first().click();
  const fields = page.locator('.auth-container').first().locator('input[type=text], input[type=password]');
  for (const [index, value] of credential.entries()) await fields.nth(index).fill(value);
  await page.locator('.auth-btn-wrapper .authorize').first().click();
  await page.locator('.btn-done').first().click();
}

/** The page of a service, with every operation open. */
async function openPage(service: string, colorScheme: 'light' | 'dark'): Promise<Page> {
  const page = await browser.newPage({ colorScheme });
  page.setDefaultTimeout(120_000);
  await page.goto(`${baseUrl}/.well-known/openapi/${service}`);
  await page.locator('.opblock').first().waitFor();
  for (const operation of await page.locator('.opblock .opblock-summary-control').all())
    await operation.click();
  await page.locator('.responses-inner').last().waitFor();
  return page;
}

/** Has a page use a colour scheme, until nothing changes any more. */
async function useScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect.poll(async () => (await shownScheme(page)) === 'dark').toBe(colorScheme === 'dark');
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
}

/** The colour scheme that a page uses. */
function shownScheme(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
}

/**
 * Serious or critical axe findings on the current page: the rule, and the element.
 * @param runOnly the rules; default: all
 */
function seriousFindings(page: Page, runOnly: readonly string[] | undefined): Promise<string[]> {
  return page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as { readonly axe: Axe };
    const { violations } = await axe.run(document, {
      resultTypes: ['violations'],
      ...(rules && { runOnly: rules }),
    });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, runOnly);
}

interface Axe {
  run(
    context: object,
    options: { readonly resultTypes: readonly string[]; readonly runOnly?: readonly string[] },
  ): Promise<{ readonly violations: readonly Finding[] }>;
}

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/**
 * Presses "Execute" of every operation without changes. @returns by method and path, the status of the response, or the
 * required parameters that the reader has to fill in first
 */
async function executeAll(page: Page): Promise<Record<string, unknown>> {
  const outcomes: Record<string, unknown> = {};
  for (const block of await page.locator('.opblock').all()) {
    const method = (await block.locator('.opblock-summary-method').textContent()) ?? '';
    const path = (await block.locator('.opblock-summary-path').getAttribute('data-path')) ?? '';
    const button = block.locator('.btn.execute');
    const empty = await emptyParameters(block);
    if (empty.length > 0) await button.click();
    outcomes[`${method} ${path}`] = empty.length > 0 ? empty : await execute(page, button, method);
    // The page marks them after it has rendered again.
    await expect
      .poll(() => block.locator('.parameters .invalid').count(), { message: path })
      .toBe(empty.length);
  }
  return outcomes;
}

async function execute(page: Page, button: Locator, method: string): Promise<number> {
  const received = page.waitForResponse((response) => response.request().method() === method);
  const [response] = await Promise.all([received, button.click()]);
  return response.status();
}

/** The required parameters of an operation without a default value. */
async function emptyParameters(block: Locator): Promise<readonly string[]> {
  const rows = await block.locator('.parameters tr[data-param-name]:has(.parameter__name.required)').all();
  const names = rows.map(async (row) => {
    const isFilled = (await row.locator('input').inputValue()) !== '';
    return isFilled ? [] : [(await row.getAttribute('data-param-name')) ?? ''];
  });
  return (await Promise.all(names)).flat();
}

describe('the API pages', () => {
  it.each(['light', 'dark'] as const)('follow the colour scheme of the browser: %s', async (colorScheme) => {
    const page = await openPage('logout', colorScheme);
    expect((await shownScheme(page)) === 'dark').toBe(colorScheme === 'dark');
    await page.close();
  });

  it.each(SERVICES)('have no serious accessibility findings in %s, in light and dark', async (service) => {
    const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
    const page = await sharedPage(service);
    await page.evaluate(await readFile(axe, 'utf8'));
    for (const { colorScheme, rules } of SCHEMES) {
      await useScheme(page, colorScheme);
      expect(await seriousFindings(page, rules), colorScheme).toEqual([]);
    }
    await useScheme(page, 'light');
  });

  it.each(SERVICES)('offer only realistic requests in %s', async (service) => {
    const page = await sharedPage(service);
    const bodies = await page.locator('.body-param__text').all();
    const fields = await page.locator('.opblock-section-request-body input[type=text]').all();
    for (const field of [...bodies, ...fields]) expect(await field.inputValue()).not.toMatch(/\bstring\b/);
    const samples = await page.locator('.responses-inner .microlight').allTextContents();
    for (const sample of samples) expect(sample).not.toMatch(/"string"/);
  });

  it.each(SERVICES)('execute every operation of %s with the default values', async (service) => {
    const credential = service === 'introspection' ? await resourceServer() : [master];
    const page = await sharedPage(service);
    await authorize(page, credential);
    expect(await executeAll(page)).toEqual(await documentedOutcomes(service));
  });
});
