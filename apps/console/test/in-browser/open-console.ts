import { freePort } from '@vestibule/local-services';
import type { Environment } from '@vestibule/service/settings';
import { openPage, startChromium } from '@vestibule/testkit/chromium';
import type { Browser, Page } from 'playwright-core';
import type { Role } from '../../src/frame/operator.js';
import { buildTestConsole, type TestConsole, type TestConsoleParts } from '../support/build-test-console.js';

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
  return { console, browser: await startChromium(), origin };
}

/** A page with the session of a role. */
export async function aPage({ console, browser, origin }: OpenConsole, role: Role): Promise<Page> {
  const context = await browser.newContext();
  const [name = '', value = ''] = (await console.cookieOf(role)).split(/=(.*)/s);
  await context.addCookies([{ name, value, url: origin }]);
  return openPage(context);
}
