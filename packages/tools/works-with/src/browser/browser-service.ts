import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Browser, Page } from 'playwright-core';
import { Value } from 'typebox/value';
import { VisitSchema, visit } from './visit.js';

/** A browser that programs in any language control over HTTP. */
export interface BrowserService {
  readonly url: string;
  close(): Promise<void>;
}

const PATIENCE_MS = 15_000;

/**
 * Serves `POST /visit` at a loopback address: opens an address in a browser session and returns where it ended. Each
 * session name has separate cookies and a separate tab until the service is closed.
 */
export async function openBrowserService(browser: Browser, baseUrl: string): Promise<BrowserService> {
  const tabs = new Map<string, Promise<Page>>();
  const tabOf = (session: string) => {
    const tab = tabs.get(session) ?? openTab(browser);
    tabs.set(session, tab);
    return tab;
  };
  const server = createServer((request, response) => {
    handleRequest(request, tabOf, baseUrl).then(
      (body) => send(response, 200, body),
      (error: unknown) => send(response, 400, { error: String(error) }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      for (const tab of tabs.values()) await (await tab).context().close();
    },
  };
}

async function openTab(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}

async function handleRequest(
  request: IncomingMessage,
  tabOf: (session: string) => Promise<Page>,
  baseUrl: string,
): Promise<object> {
  if (request.method !== 'POST' || request.url !== '/visit')
    throw new Error('The only request is POST /visit.');
  const visitRequest: unknown = JSON.parse(await text(request));
  if (!Value.Check(VisitSchema, visitRequest)) {
    const [first] = Value.Errors(VisitSchema, visitRequest);
    throw new Error(`${first?.instancePath || 'the body'} ${first?.message}`);
  }
  return visit(await tabOf(visitRequest.session ?? ''), baseUrl, visitRequest);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
