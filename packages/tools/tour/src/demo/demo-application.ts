import type { Closers } from '@vestibule/local-services';
import { shorten } from '../print/exchange.js';
import type { Reporter } from '../print/reporter.js';
import type { DemoPage } from './demo-page.js';
import { type DemoRequest, type DemoResponse, serveDemo } from './demo-server.js';
import { type LogoutChannels, logoutChannels } from './logout-channels.js';
import type { RelyingParty, Tokens } from './relying-party.js';

/** A web application with sign-in and logout. It serves the tour's browser only. */
export interface DemoApplication
  extends Pick<LogoutChannels, 'frontchannelRequests' | 'logoutTokens' | 'hang'> {
  readonly name: string;
  readonly address: string;
  readonly redirectUri: string;
  /** The post-logout redirect URI. */
  readonly loggedOutUri: string;
  /** The front-channel logout URI. */
  readonly frontchannelUri: string;
  /** The back-channel logout URI. */
  readonly backchannelUri: string;
  /** Sets the relying party behind its pages. */
  connect(party: RelyingParty): void;
  /** The tokens of the latest sign-in; `undefined` after a logout notification. */
  tokens(): Tokens | undefined;
}

/** Starts an application on a loopback port. */
export async function startDemoApplication(
  name: string,
  port: number,
  { reporter, toEnd }: { readonly reporter: Reporter; readonly toEnd: Closers },
): Promise<DemoApplication> {
  const address = `http://127.0.0.1:${port}`;
  const addresses = addressesAt(address);
  let party: RelyingParty | undefined;
  let tokens: Tokens | undefined;
  const endSession = (sid: unknown) => {
    if (tokens?.claims()?.['sid'] === sid) tokens = undefined;
  };
  const channels = logoutChannels({ ...addresses, reporter, endSession });
  const responseTo = async ({ address: url, form }: DemoRequest): Promise<DemoResponse | undefined> => {
    if (party === undefined) return { status: 503 };
    switch (url.pathname) {
      case '/':
      case '/logged-out':
        return { status: 200, page: homePage(name, tokens, url.searchParams.get('state')) };
      case '/login':
        return { status: 303, location: await party.loginAddress(Object.fromEntries(url.searchParams)) };
      case '/callback':
        tokens = await party.callback(url);
        return { status: 303, location: '/' };
      case '/frontchannel':
        return channels.handleFrontchannel(url.searchParams);
      case '/backchannel':
        return channels.handleBackchannel(party, form.get('logout_token') ?? '');
      default:
        return { status: 404 };
    }
  };
  const failed = (error: unknown): DemoResponse => ({ status: 502, page: failurePage(name, error) });
  await serveDemo(address, (request) => responseTo(request).catch(failed), toEnd);
  const connect = (connected: RelyingParty) => {
    party = connected;
  };
  return { ...channels, ...addresses, name, address, connect, tokens: () => tokens };
}

function addressesAt(address: string) {
  return {
    redirectUri: `${address}/callback`,
    loggedOutUri: `${address}/logged-out?from=vestibule`,
    frontchannelUri: `${address}/frontchannel`,
    backchannelUri: `${address}/backchannel`,
  };
}

function homePage(name: string, tokens: Tokens | undefined, state: string | null): DemoPage {
  const claims = tokens?.claims();
  const stateFacts = state === null ? {} : { State: state };
  if (tokens === undefined || claims === undefined)
    return { title: `${name}: not logged in`, facts: stateFacts, actions: { '/login': 'Log in' } };
  return {
    title: `${name}: hello, ${claims.sub}`,
    facts: {
      'ID token from': claims.iss,
      'Session (sid)': shorten(String(claims['sid'])),
      'Access token': shorten(tokens.access_token),
      Scope: tokens.scope ?? '',
      ...stateFacts,
    },
    actions: { '/login': 'Log in again' },
  };
}

function failurePage(name: string, error: unknown): DemoPage {
  const title = `${name}: an error occurred`;
  return {
    title,
    facts: { Reason: error instanceof Error ? error.message : 'unknown' },
    actions: { '/': 'Back' },
  };
}
