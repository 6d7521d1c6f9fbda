import type { Closers } from '@vestibule/local-services';
import { chromium, type Page, type Response } from 'playwright-core';
import type { Narrator } from '../print/narrator.js';
import { membersOf } from '../print/told-fetch.js';

const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const PATIENCE_MS = 15_000;

/** Opens a page of a headless browser and prints all its documents. */
export async function openPage(program: string, narrator: Narrator, toEnd: Closers): Promise<Page> {
  const browser = await chromium.launch({
    executablePath: program,
    // Only local pages are opened, and containers often do not support a sandbox.
    chromiumSandbox: false,
    args: ARGUMENTS,
  });
  toEnd.add(() => browser.close());
  const page = await browser.newPage({ locale: 'en-GB' });
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('response', (response) => tell(response, narrator));
  return page;
}

function tell(response: Response, narrator: Narrator): void {
  const request = response.request();
  if (request.resourceType() !== 'document') return;
  const { location } = response.headers();
  narrator.exchange({
    from: 'browser',
    method: request.method(),
    address: response.url(),
    status: response.status(),
    sent: membersOf(request.postData() ?? undefined),
    ...(location !== undefined && { received: { location } }),
  });
}
