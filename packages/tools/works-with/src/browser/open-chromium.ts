import { type Closers, chromiumProgram } from '@vestibule/local-services';
import { type Browser, chromium } from 'playwright-core';

const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a headless Chromium. @throws LocalServiceError when it is missing and cannot be installed */
export async function openChromium(log: (sentence: string) => void, toEnd: Closers): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await chromiumProgram(log),
    // Only local pages are opened, and containers often do not support a sandbox.
    chromiumSandbox: false,
    args: ARGUMENTS,
  });
  toEnd.add(() => browser.close());
  return browser;
}
