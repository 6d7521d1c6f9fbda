import type { IncomingMessage, RequestListener } from 'node:http';
import { ENDPOINT_PATH } from '@vestibule/protocol';
import { type AddResource, type Route, route } from '@vestibule/service-kit';
import type { Provider } from 'oidc-provider';
import { answerOf } from './answer-of.js';
import type { ProviderHost } from './provider-host.js';
import { noteNetwork } from './request-network.js';

/** Headers that belong to the connection or that the server itself writes. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['content-length', 'connection', 'transfer-encoding']);

/**
 * Nobody frames its pages, and nobody learns from where they or its redirects send a browser on (RFC 9700 section
 * 4.2.4).
 */
const BROWSER_HEADERS = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** The endpoints that the library serves. */
export function addProvider(resource: AddResource, host: ProviderHost, issuer: string): void {
  const serve = servedBy(host, new URL(issuer).pathname.replace(/\/$/, ''));
  const { authorization, pushedAuthorization, token, revocation, userinfo } = ENDPOINT_PATH;
  resource(authorization, { GET: serve });
  resource(`${authorization}/:uid`, { GET: serve });
  resource(pushedAuthorization, { POST: serve, OPTIONS: serve });
  resource(token, { POST: serve, OPTIONS: serve });
  resource(revocation, { POST: serve, OPTIONS: serve });
  resource(userinfo, { GET: serve, POST: serve, OPTIONS: serve });
}

function servedBy({ current }: ProviderHost, basePath: string): Route {
  const listeners = new WeakMap<Provider, RequestListener>();
  const listenerOf = (provider: Provider): RequestListener => {
    const listener = listeners.get(provider) ?? provider.callback();
    listeners.set(provider, listener);
    return listener;
  };
  return route({
    handler: async ({ raw, ip }, reply) => {
      noteNetwork(raw, ip);
      const listener = listenerOf(await current());
      const { status, headers, body } = await answerOf(listener, below(basePath, raw));
      reply.headers(BROWSER_HEADERS);
      for (const [name, value] of Object.entries(headers))
        if (value !== undefined && !OWN_HEADERS.has(name)) reply.header(name, value);
      return reply.code(status).send(body);
    },
  });
}

/** The library makes the addresses of its endpoints below this path. */
function below(basePath: string, request: IncomingMessage): IncomingMessage {
  return Object.assign(request, { baseUrl: basePath });
}
