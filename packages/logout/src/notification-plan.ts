import { type ClientId, type Issuer, isUriHost } from '@vestibule/protocol';
import type { EndedClient } from './logout-sessions.js';

/** A client's front-channel page, which the browser loads so that the client ends its own session. */
export interface FrontchannelPage {
  readonly address: string;
  /** Scheme, host and port of the address. */
  readonly origin: string;
}

/** How a client is notified that its session has ended: by front channel, back channel, both or neither. */
export interface NotifiedClient {
  readonly clientId: ClientId;
  readonly metadata: EndedClient['metadata'];
  readonly page?: FrontchannelPage;
  /** Its notification in the outbox. */
  readonly deliveryId?: string;
}

/** Maximum number of front-channel pages that one page loads. */
const MAX_FRONTCHANNEL_PAGES = 50;

/**
 * Plans how the clients of a session are notified. The front channel (OpenID Connect Front-Channel Logout 1.0 section
 * 3) loads the registered address, with `iss` and `sid` if the client registered that. Clients beyond the limit, and
 * addresses that a frame cannot load, are not notified this way.
 */
export function notificationPlan(clients: readonly EndedClient[], issuer: Issuer): readonly NotifiedClient[] {
  let pages = 0;
  return clients.map((client) => {
    const { clientId, metadata, deliveryId } = client;
    const page = pages < MAX_FRONTCHANNEL_PAGES ? pageOf(client, issuer) : undefined;
    if (page !== undefined) pages += 1;
    return {
      clientId,
      metadata,
      ...(page !== undefined && { page }),
      ...(deliveryId !== undefined && { deliveryId }),
    };
  });
}

function pageOf({ sid, metadata }: EndedClient, issuer: Issuer): FrontchannelPage | undefined {
  const { frontchannel_logout_uri: uri, frontchannel_logout_session_required: wantsSession } = metadata;
  if (uri === undefined || !URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  // Another form of host cannot be named in the Content-Security-Policy of the page.
  if (!isWeb || !isUriHost(url.hostname)) return undefined;
  if (wantsSession === true) {
    const before = url.search === '' ? '' : `${url.search.slice(1)}&`;
    url.search = `${before}iss=${encodeURIComponent(issuer)}&sid=${encodeURIComponent(sid)}`;
  }
  return { address: url.href, origin: url.origin };
}
