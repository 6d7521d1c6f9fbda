import { installedChromium } from '@vestibule/local-services';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** How long a page may take on a busy machine. */
const PAGE_PATIENCE_MS = 120_000;

/** The path of Chromium; `undefined` if it is not installed. */
export const CHROMIUM = await installedChromium();

/** Starts Chromium until the test ends. */
export async function startChromium(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: String(CHROMIUM), chromiumSandbox: false });
  onTestFinished(() => browser.close());
  return browser;
}

/** Opens a page with timeouts that suffice on a busy machine. */
export function openPage(context: BrowserContext): Promise<Page> {
  context.setDefaultTimeout(PAGE_PATIENCE_MS);
  return context.newPage();
}
