import { freePort, installedChromium } from '@vestibule/local-services';
import { type Browser, chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Role } from '../../src/frame/operator.js';
import { buildTestConsole, type TestConsole } from '../support/build-test-console.js';

/** The path of Chromium; `undefined` if it is not installed. */
export const PROGRAM = await installedChromium();

/** A console in a browser. */
export interface OpenConsole {
  readonly console: TestConsole;
  readonly browser: Browser;
  readonly origin: string;
}

/** Opens a console on a port, and a browser. */
export async function anOpenConsole(): Promise<OpenConsole> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const console = await buildTestConsole({}, { origin });
  await console.app.listen({ host: '127.0.0.1', port });
  const browser = await chromium.launch({ executablePath: String(PROGRAM), chromiumSandbox: false });
  onTestFinished(() => browser.close());
  return { console, browser, origin };
}

/** A page with the session of a role. It collects the requests to other origins. */
export async function aPage({ console, browser, origin }: OpenConsole, role: Role) {
  const context = await browser.newContext();
  const [name = '', value = ''] = (await console.cookieOf(role)).split(/=(.*)/s);
  await context.addCookies([{ name, value, url: origin }]);
  const page = await context.newPage();
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) foreign.push(request.url());
  });
  return { page, foreign };
}
