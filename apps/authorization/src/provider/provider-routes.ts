import type { IncomingMessage, RequestListener } from 'node:http';
import {
  type AddResource,
  languagesOf,
  networkOf,
  type Reply,
  type Request,
  type Route,
  route,
} from '@vestibule/http';
import { type BodyFormat, textBody } from '@vestibule/http/bodies';
import { pageHeaders, type RenderedPage } from '@vestibule/http/pages';
import { ThrottledError } from '@vestibule/protocol';
import { ENDPOINT_PATH, MEDIA_TYPE } from '@vestibule/protocol/constants';
import { MAX_BODY_BYTES } from '@vestibule/protocol/json';
import type { FailedAuthenticationThrottle } from '@vestibule/service';
import type { Provider } from 'oidc-provider';
import { Type } from 'typebox';
import { expiredPage, localeOf, throttledPage } from '../pages/page.js';
import type { PostedRequests } from './posted-requests.js';
import type { ProviderHost } from './provider-host.js';
import { type ProviderResponse, responseOf } from './response-of.js';
import { noteNetwork, type StoredRequestLimit } from './stored-request-limit.js';

/** Dependencies of the routes of the library. */
export interface ProviderRouteDeps {
  readonly issuer: string;
  readonly host: ProviderHost;
  readonly postedRequests: PostedRequests;
  readonly failedAuthentications?: FailedAuthenticationThrottle;
  readonly storedRequests?: StoredRequestLimit;
}

/** Headers of the connection, or set by the server itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['content-length', 'connection', 'transfer-encoding']);

/**
 * Forbids framing of the library's pages, and hides the address from which they or its redirects send a browser on (RFC
 * 9700 section 4.2.4).
 */
const BROWSER_HEADERS = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Adds the endpoints of the library. */
export function addProvider(resource: AddResource, deps: ProviderRouteDeps): void {
  const basePath = new URL(deps.issuer).pathname.replace(/\/$/, '');
  const respond = respondedBy(deps.host, basePath);
  const served = route({ handler: async (request, reply) => send(reply, await respond(request)) });
  const authenticated = authenticatedRoute(respond, deps.failedAuthentications);
  const { authorization, pushedAuthorization, token, revocation, userinfo } = ENDPOINT_PATH;
  resource(authorization, {
    GET: authorizationRequest(deps.postedRequests, respond),
    POST: postedRequest(deps, basePath),
  });
  resource(`${authorization}/:uid`, { GET: served });
  resource(pushedAuthorization, { POST: authenticated, OPTIONS: served });
  resource(token, { POST: authenticated, OPTIONS: served });
  resource(revocation, { POST: authenticated, OPTIONS: served });
  resource(userinfo, { GET: served, POST: served, OPTIONS: served });
}

/** Lets the library respond to a request. */
type Respond = (request: Request) => Promise<ProviderResponse>;

function respondedBy({ current }: ProviderHost, basePath: string): Respond {
  const listeners = new WeakMap<Provider, RequestListener>();
  const listenerOf = (provider: Provider): RequestListener => {
    const listener = listeners.get(provider) ?? provider.callback();
    listeners.set(provider, listener);
    return listener;
  };
  return async ({ raw, ip }) => {
    noteNetwork(raw, ip);
    return responseOf(listenerOf(await current()), below(basePath, raw));
  };
}

function send(reply: Reply, { status, headers, body }: ProviderResponse): Reply {
  reply.headers(BROWSER_HEADERS);
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !OWN_HEADERS.has(name)) reply.header(name, value);
  return reply.code(status).send(body);
}

/** An endpoint at which clients authenticate: failures are throttled. */
function authenticatedRoute(respond: Respond, failures: FailedAuthenticationThrottle | undefined): Route {
  return route({
    handler: async (request, reply) => {
      const response = await respond(request);
      if (response.status === 401) await failures?.release();
      return send(reply, response);
    },
  });
}

/** The library builds the addresses of its endpoints below this path. */
function below(basePath: string, request: IncomingMessage): IncomingMessage {
  return Object.assign(request, { baseUrl: basePath });
}

/**
 * POST /authorize (OpenID Connect Core 1.0 section 3.1.2.1). A browser sends the session cookie, which is
 * `SameSite=Lax`, with no POST from another site, but with the GET to which it is redirected here: there the request
 * is processed as if its form had been the query.
 */
function postedRequest({ postedRequests, storedRequests }: ProviderRouteDeps, basePath: string): Route {
  return route({
    schema: { body: Type.String() },
    body: textBody({ mediaTypes: [MEDIA_TYPE.form], maxBytes: MAX_BODY_BYTES }),
    handler: async (request, reply) => {
      try {
        await storedRequests?.admit('posted_request', networkOf(request.ip));
      } catch (error) {
        if (error instanceof ThrottledError) return sendThrottled(request, reply, error);
        throw error;
      }
      const location = `${basePath}${ENDPOINT_PATH.authorization}?${await postedRequests.store(request.body)}`;
      return reply.headers(BROWSER_HEADERS).code(303).header('location', location).send();
    },
  });
}

/** GET /authorize, with the parameters in the query or posted before. */
function authorizationRequest(requests: PostedRequests, respond: Respond): Route {
  return route({
    handler: async (request, reply) => {
      const { raw } = request;
      const [path, query = ''] = (raw.url ?? '').split('?', 2);
      const posted = await requests.find(query);
      if (posted === 'expired') return sendExpired(request, reply);
      // A form may contain a plain number sign; in a URL it would end the query.
      if (posted !== undefined) raw.url = `${path}?${posted.form.replaceAll('#', '%23')}`;
      return send(reply, await respond(request));
    },
  });
}

function sendExpired(request: Request, reply: Reply): Reply {
  return sendPage(reply, expiredPage(localeOf(languagesOf(request))));
}

function sendThrottled(request: Request, reply: Reply, { retryAfterSeconds }: ThrottledError): Reply {
  reply.header('retry-after', String(retryAfterSeconds));
  return sendPage(reply, throttledPage(localeOf(languagesOf(request))));
}

function sendPage(reply: Reply, { status, policy, content }: RenderedPage): Reply {
  return reply.code(status).headers(pageHeaders(policy)).send(content);
}

/** Bodies that are not parsed here: the library reads and validates them itself. */
export const UNTOUCHED_BODY: BodyFormat = {
  mediaTypes: [],
  install: async (scope) => {
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  },
};
