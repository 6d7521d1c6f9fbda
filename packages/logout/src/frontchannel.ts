import { type ClientId, type Issuer, isUriHost } from '@vestibule/protocol';
import type { FrontchannelClient } from './logout-sessions.js';

/** A page of a client that a browser loads so that the client ends its own session there. */
export interface FrontchannelTarget {
  readonly clientId: ClientId;
  readonly metadata: FrontchannelClient['metadata'];
  readonly address: string;
  /** Scheme, host and port of the address. */
  readonly origin: string;
}

/** How the clients of a session are told by the browser. */
export interface FrontchannelPlan {
  /** The pages to load, in the order of the clients. */
  readonly targets: readonly FrontchannelTarget[];
  /** The clients that no page tells. */
  readonly unreached: readonly FrontchannelClient[];
}

/** The most pages that one page loads. */
const MAX_FRONTCHANNEL_TARGETS = 50;

/**
 * The pages to load (OpenID Connect Front-Channel Logout 1.0 section 3): the registered address, with `iss` and `sid`
 * where the client asked for them. Clients beyond the most of a page, and addresses that no frame can load, are not
 * reached.
 */
export function frontchannelPlan(clients: readonly FrontchannelClient[], issuer: Issuer): FrontchannelPlan {
  const targets = clients
    .flatMap((client) => targetOf(client, issuer) ?? [])
    .slice(0, MAX_FRONTCHANNEL_TARGETS);
  const reached = new Set(targets.map(({ clientId }) => clientId));
  return { targets, unreached: clients.filter(({ clientId }) => !reached.has(clientId)) };
}

function targetOf(
  { clientId, sid, metadata }: FrontchannelClient,
  issuer: Issuer,
): FrontchannelTarget | undefined {
  const { frontchannel_logout_uri: uri, frontchannel_logout_session_required: wantsSession } = metadata;
  if (uri === undefined || !URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  // A host of another form cannot be named in the policy of the page.
  if (!isWeb || !isUriHost(url.hostname)) return undefined;
  if (wantsSession === true) {
    const before = url.search === '' ? '' : `${url.search.slice(1)}&`;
    url.search = `${before}iss=${encodeURIComponent(issuer)}&sid=${encodeURIComponent(sid)}`;
  }
  return { clientId, metadata, address: url.href, origin: url.origin };
}
