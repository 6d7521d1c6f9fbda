import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CHROMIUM, openPage, startChromium } from '@vestibule/testkit/chromium';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';

/** An empty page at an origin of its own. */
async function anOrigin(): Promise<string> {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>A page</title>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function aPage(origin: string): Promise<Page> {
  const browser = await startChromium();
  const page = await openPage(await browser.newContext());
  await page.goto(origin);
  return page;
}

/** Registers, reads, patches and deletes a client by `fetch`, as the script of a page does. */
function manage(page: Page, endpoint: string) {
  return page.evaluate(
    async ({ endpoint, master }) => {
      const call = async (url: string, token: string, init: RequestInit = {}) => {
        const headers = { ...init.headers, authorization: `Bearer ${token}` };
        const fetched = await fetch(url, { ...init, headers });
        const text = await fetched.text();
        const tag = fetched.headers.get('etag') ?? '';
        return { status: fetched.status, tag, body: text === '' ? {} : JSON.parse(text) };
      };
      const made = await call(endpoint, master, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'one' },
        body: JSON.stringify({ redirect_uris: ['https://app.example/cb'] }),
      });
      const url = `${endpoint}/${made.body.client_id}`;
      const read = await call(url, made.body.registration_access_token);
      const patched = await call(url, made.body.registration_access_token, {
        method: 'PATCH',
        headers: { 'content-type': 'application/merge-patch+json', 'if-match': read.tag },
        body: JSON.stringify({ client_name: 'Shop' }),
      });
      const token = patched.body.registration_access_token;
      const gone = await call(url, token, { method: 'DELETE', headers: { 'if-match': patched.tag } });
      const refused = await call(url, token);
      const statuses = [made, read, patched, gone, refused].map(({ status }) => status);
      return { statuses, name: patched.body.client_name };
    },
    { endpoint, master: MASTER },
  );
}

it.skipIf(CHROMIUM === undefined)(
  'lets a page of an allowed origin manage a client in a browser, and a page of another origin do nothing',
  async () => {
    const [allowed, other] = [await anOrigin(), await anOrigin()];
    const { app, all } = await buildTestApp({ CORS_ALLOWED_ORIGINS: allowed });
    const endpoint = `${await app.listen({ host: '127.0.0.1', port: 0 })}/clients`;
    expect(await manage(await aPage(allowed), endpoint)).toEqual({
      statuses: [200, 200, 200, 204, 401],
      name: 'Shop',
    });
    await expect(manage(await aPage(other), endpoint)).rejects.toThrow('Failed to fetch');
    expect(await all()).toEqual([]);
  },
);
