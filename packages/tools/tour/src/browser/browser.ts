import type { Closers } from '@vestibule/local-services';
import { chromium, type Page, type Response } from 'playwright-core';
import { membersOf } from '../print/printed-fetch.js';
import type { Reporter } from '../print/reporter.js';

const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const TIMEOUT_MS = 15_000;

/** Opens a page of a headless browser and prints all its documents. */
export async function openPage(program: string, reporter: Reporter, toEnd: Closers): Promise<Page> {
  const browser = await chromium.launch({
    executablePath: program,
    // Only local pages are opened, and containers often do not support a sandbox.
    chromiumSandbox: false,
    args: ARGUMENTS,
  });
  toEnd.add(() => browser.close());
  const page = await browser.newPage({ locale: 'en-GB' });
  page.setDefaultTimeout(TIMEOUT_MS);
  page.on('response', (response) => printExchange(response, reporter));
  return page;
}

function printExchange(response: Response, reporter: Reporter): void {
  const request = response.request();
  if (request.resourceType() !== 'document') return;
  const { location } = response.headers();
  reporter.exchange({
    from: 'browser',
    method: request.method(),
    address: response.url(),
    status: response.status(),
    sent: membersOf(request.postData() ?? undefined),
    ...(location !== undefined && { received: { location } }),
  });
}
