import {
  type HeadFastPath,
  JSON_CONTENT_TYPE,
  PUBLIC_DOCUMENT,
  type Reply,
  type Route,
  type RouteGroupOptions,
  route,
} from '@vestibule/http';
import { textBody } from '@vestibule/http/bodies';
import { documentedRouteGroup, type OperationDescription } from '@vestibule/http/openapi';
import { DomainError } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import type { FastifyPluginAsync } from 'fastify';
import { CHECK, JWKS, METADATA } from './api/api-description.js';
import { API_DOCUMENT_PATH, forwardAuthApi } from './api/api-document.js';
import type { AllowedRequest, Decision, HeaderFields } from './decision.js';
import type { ForwardAuthDeps } from './deps.js';
import { FORWARDED_HEADERS_RULE, forwardedRequest } from './gateways/forwarded-request.js';
import { ENVOY_PREFIX, prefixedRequest } from './gateways/prefixed-request.js';
import { FORWARD_AUTH_ERRORS } from './presentation.js';

const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The forward authentication endpoints as a Fastify plugin, for a server that `createServer` made. */
export const forwardAuthRoutes: FastifyPluginAsync<ForwardAuthDeps> = async (app, deps) => {
  const routeGroup = forwardAuthRouteGroup(deps);
  const document = () => forwardAuthApi(routeGroup);
  await app.register(
    documentedRouteGroup(routeGroup, { path: API_DOCUMENT_PATH, document, hasPage: deps.hasApiPage }),
  );
};

/** The route group of the forward authentication endpoints. */
export function forwardAuthRouteGroup(deps: ForwardAuthDeps): RouteGroupOptions {
  return {
    name: 'forward-auth',
    body: textBody({ mediaTypes: ['text/plain'] }),
    errors: FORWARD_AUTH_ERRORS,
    successLevel: 'debug',
    routes: (resource) => {
      resource('/check', { GET: check(deps) });
      resource(`${ENVOY_PREFIX}/*`, { ANY: checkPrefixed(deps) });
      resource(METADATA_PATH, { GET: metadata(deps, METADATA) }, PUBLIC_DOCUMENT);
      resource(`${METADATA_PATH}/*`, { GET: metadata(deps) }, PUBLIC_DOCUMENT);
      resource('/jwks', { GET: jwks(deps) }, PUBLIC_DOCUMENT);
    },
  };
}

/** GET /check (forward-auth/API.md#check). */
function check(deps: ForwardAuthDeps): Route {
  return route({
    description: CHECK,
    handler: async ({ raw }, reply) => {
      const request = forwardedRequest(raw, deps);
      if (request === undefined) {
        deps.onMisconfiguredGateway(FORWARDED_HEADERS_RULE);
        throw new DomainError('invalid_request', FORWARDED_HEADERS_RULE);
      }
      return sendDecision(reply, await deps.decide(request));
    },
    ...(deps.hasFastPath && { headFastPath: { respond: allowedFields(deps) } }),
  });
}

/** Allows the usual requests, and leaves all others to the route. */
function allowedFields(deps: ForwardAuthDeps): HeadFastPath['respond'] {
  /** Headers for each cached token, names and values in turn. */
  const known = new WeakMap<HeaderFields, readonly string[]>();
  const listOf = (headers: HeaderFields): readonly string[] => {
    const found = known.get(headers);
    if (found !== undefined) return found;
    const list = Object.entries(headers).flat();
    known.set(headers, list);
    return list;
  };
  const fieldsOf = ({ headers, responseHeaders }: AllowedRequest) => [
    ...listOf(headers),
    ...listOf(responseHeaders),
  ];
  return (message) => {
    const request = forwardedRequest(message, deps);
    const allowed = request && deps.allowAtOnce(request);
    return allowed instanceof Promise ? allowed.then(fieldsOf) : allowed && fieldsOf(allowed);
  };
}

/** Any method below /envoy (forward-auth/API.md#envoy). Responds before the body is read, if there is one. */
function checkPrefixed(deps: ForwardAuthDeps): Route {
  return route({
    onRequest: ({ raw }, reply, done) => {
      deps.decide(prefixedRequest(raw, deps)).then((decision) => void sendDecision(reply, decision), done);
    },
    handler: (_request, reply) => reply.send(),
  });
}

function sendDecision(reply: Reply, decision: Decision): Reply {
  if (decision.outcome === 'allowed')
    return reply.headers({ ...decision.headers, ...decision.responseHeaders }).send();
  const { status, headers, body } = decision;
  reply.code(status).headers({ ...headers });
  // As bytes: Fastify would add a charset to a string.
  return body === '' ? reply.send() : reply.send(Buffer.from(body));
}

/** GET /.well-known/oauth-protected-resource (RFC 9728 section 3.1), with the path of the resource behind it. */
function metadata({ findMetadata }: ForwardAuthDeps, description?: OperationDescription): Route {
  return route({
    ...(description !== undefined && { description }),
    handler: async ({ raw, headers: { host = '' } }, reply) => {
      const [path = ''] = (raw.url ?? '').split('?', 1);
      const json = findMetadata(host, path);
      if (json === undefined) throw new DomainError('not_found', 'There is no such resource');
      return reply.header('content-type', MEDIA_TYPE.json).send(Buffer.from(json));
    },
  });
}

/** GET /jwks (forward-auth/API.md#jwks). */
function jwks({ jwks: keys }: ForwardAuthDeps): Route {
  return route({
    description: JWKS,
    handler: async (_request, reply) => {
      if (keys === undefined) throw new DomainError('not_found', 'No tokens are signed');
      return reply.header('content-type', JSON_CONTENT_TYPE).send(JSON.stringify(keys));
    },
  });
}
