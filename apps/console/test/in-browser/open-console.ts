import { freePort, installedChromium } from '@vestibule/local-services';
import type { Environment } from '@vestibule/service/settings';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Role } from '../../src/frame/operator.js';
import { buildTestConsole, type TestConsole, type TestConsoleParts } from '../support/build-test-console.js';

/** How long a page may take on a busy machine. */
const PAGE_PATIENCE_MS = 120_000;

/** The path of Chromium; `undefined` if it is not installed. */
export const PROGRAM = await installedChromium();

/** A console in a browser. */
export interface OpenConsole {
  readonly console: TestConsole;
  readonly browser: Browser;
  readonly origin: string;
}

/** Opens a console on a port, and a browser. */
export async function anOpenConsole(
  settings: Environment = {},
  parts: Omit<TestConsoleParts, 'origin'> = {},
): Promise<OpenConsole> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const console = await buildTestConsole(settings, { ...parts, origin });
  await console.app.listen({ host: '127.0.0.1', port });
  return { console, browser: await aBrowser(), origin };
}

/** Starts Chromium until the test ends. */
export async function aBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: String(PROGRAM), chromiumSandbox: false });
  onTestFinished(() => browser.close());
  return browser;
}

/** A page with the session of a role. */
export async function aPage({ console, browser, origin }: OpenConsole, role: Role): Promise<Page> {
  const context = await browser.newContext();
  const [name = '', value = ''] = (await console.cookieOf(role)).split(/=(.*)/s);
  await context.addCookies([{ name, value, url: origin }]);
  return openPage(context);
}

/** Opens a page that has the time of a busy machine. */
export function openPage(context: BrowserContext): Promise<Page> {
  context.setDefaultTimeout(PAGE_PATIENCE_MS);
  return context.newPage();
}
