import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Closers } from '@vestibule/local-services';
import { type DemoPage, demoPage } from '../demo/demo-page.js';
import type { RelyingParty, Tokens } from '../demo/relying-party.js';

/** A web application that people log in to and out of. */
export interface LogoutApplication {
  readonly name: string;
  readonly address: string;
  /** The members of its registration that have to do with addresses. */
  readonly metadata: Readonly<Record<string, string | boolean | readonly string[]>>;
  /** The relying party behind its pages. */
  connect(party: RelyingParty): void;
  /** The tokens of the latest login; `undefined` once it was told of a logout. */
  tokens(): Tokens | undefined;
  /** The queries with which browsers loaded its front-channel address. */
  readonly told: readonly URLSearchParams[];
  /** From now on its front-channel address answers no more, or answers again. */
  hang(isHanging: boolean): void;
}

interface Answer {
  readonly location?: string;
  readonly page?: DemoPage;
}

/** Starts an application on a loopback port, which ends its session when its front-channel address is loaded. */
export async function startLogoutApplication(
  name: string,
  port: number,
  toEnd: Closers,
): Promise<LogoutApplication> {
  const address = `http://127.0.0.1:${port}`;
  const told: URLSearchParams[] = [];
  let party: RelyingParty | undefined;
  let tokens: Tokens | undefined;
  let isHanging = false;
  const answerTo = async (asked: URL): Promise<Answer> => {
    if (party === undefined) return {};
    if (asked.pathname === '/login') return { location: await party.loginAddress() };
    if (asked.pathname === '/callback') {
      tokens = await party.callback(asked);
      return { location: '/' };
    }
    if (asked.pathname === '/frontchannel') {
      told.push(asked.searchParams);
      if (tokens?.claims()?.['sid'] === asked.searchParams.get('sid')) tokens = undefined;
      return { page: { title: 'Told', actions: {} } };
    }
    const state = asked.searchParams.get('state');
    return { page: homePage(name, tokens?.claims()?.sub, state) };
  };
  const server = createServer((request: IncomingMessage, response) => {
    const asked = new URL(request.url ?? '/', address);
    if (isHanging && asked.pathname === '/frontchannel') return;
    answerTo(asked)
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
    metadata: {
      redirect_uris: [`${address}/callback`],
      post_logout_redirect_uris: [`${address}/logged-out?from=vestibule`],
      frontchannel_logout_uri: `${address}/frontchannel`,
      frontchannel_logout_session_required: true,
      client_uri: `${address}/`,
    },
    connect: (connected) => {
      party = connected;
    },
    tokens: () => tokens,
    told,
    hang: (hangs) => {
      isHanging = hangs;
    },
  };
}

function write(response: ServerResponse, { location, page }: Answer): void {
  response.writeHead(location === undefined ? 200 : 303, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    ...(location !== undefined && { location }),
  });
  response.end(page && demoPage(page));
}

function homePage(name: string, subject: string | undefined, state: string | null): DemoPage {
  return {
    title: subject === undefined ? `${name}: nobody is logged in` : `${name}: hello, ${subject}`,
    ...(state !== null && { facts: { State: state } }),
    actions: { '/login': 'Log in' },
  };
}
