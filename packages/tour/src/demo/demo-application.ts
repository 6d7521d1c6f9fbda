import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Closers } from '@vestibule/local-services';
import { shorten } from '../print/exchange.js';
import { type DemoPage, demoPage } from './demo-page.js';
import type { RelyingParty, Tokens } from './relying-party.js';

/** A web application that people log in to. It serves one browser: the one of the tour. */
export interface DemoApplication {
  readonly name: string;
  readonly address: string;
  readonly redirectUri: string;
  /** The relying party behind its pages. */
  connect(party: RelyingParty): void;
  /** The tokens of the latest login. */
  tokens(): Tokens | undefined;
}

interface Answer {
  readonly status: number;
  readonly location?: string;
  readonly page?: DemoPage;
}

/** Starts an application on a loopback port. */
export async function startDemoApplication(
  name: string,
  port: number,
  toEnd: Closers,
): Promise<DemoApplication> {
  const address = `http://127.0.0.1:${port}`;
  let party: RelyingParty | undefined;
  let tokens: Tokens | undefined;
  const answerTo = async ({ url = '/' }: IncomingMessage): Promise<Answer> => {
    const asked = new URL(url, address);
    if (party === undefined) return { status: 503 };
    if (asked.pathname === '/login') {
      const parameters = Object.fromEntries(asked.searchParams);
      return { status: 303, location: await party.loginAddress(parameters) };
    }
    if (asked.pathname === '/callback') {
      tokens = await party.callback(asked);
      return { status: 303, location: '/' };
    }
    return asked.pathname === '/' ? { status: 200, page: homePage(name, tokens) } : { status: 404 };
  };
  const server = createServer((request, response) => {
    answerTo(request)
      .catch((error: unknown): Answer => ({ status: 502, page: failurePage(name, error) }))
      .then((answer) => write(response, answer))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  toEnd.add(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    name,
    address,
    redirectUri: `${address}/callback`,
    connect: (connected) => {
      party = connected;
    },
    tokens: () => tokens,
  };
}

function write(response: ServerResponse, { status, location, page }: Answer): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    ...(location !== undefined && { location }),
  });
  response.end(page && demoPage(page));
}

function homePage(name: string, tokens: Tokens | undefined): DemoPage {
  const claims = tokens?.claims();
  if (tokens === undefined || claims === undefined)
    return { title: `${name}: nobody is logged in`, actions: { '/login': 'Log in' } };
  return {
    title: `${name}: hello, ${claims.sub}`,
    facts: {
      'ID token from': claims.iss,
      'Session (sid)': shorten(String(claims['sid'])),
      'Access token': shorten(tokens.access_token),
      Scope: tokens.scope ?? '',
    },
    actions: { '/login': 'Log in again' },
  };
}

function failurePage(name: string, error: unknown): DemoPage {
  const title = `${name}: this did not work`;
  return {
    title,
    facts: { Reason: error instanceof Error ? error.message : 'unknown' },
    actions: { '/': 'Back' },
  };
}
