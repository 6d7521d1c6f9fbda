import { type IntrospectionCaller, InvalidClientError } from '@vestibule/client-auth';
import {
  type Hook,
  JSON_CONTENT_TYPE,
  type Reply,
  type Route,
  type RouteGroupOptions,
  route,
} from '@vestibule/http';
import { formBody } from '@vestibule/http/bodies';
import { documentedRouteGroup } from '@vestibule/http/openapi';
import { ENDPOINT_PATH } from '@vestibule/protocol';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import {
  type IntrospectionFormat,
  introspectCachedSerialized,
  introspectionFormat,
  type SerializedIntrospection,
  serialized,
  withinStoreDeadline,
} from '@vestibule/tokens';
import type { FastifyPluginAsync } from 'fastify';
import { INTROSPECT } from './api-description.js';
import { API_DOCUMENT_PATH, introspectionApi } from './api-document.js';
import type { IntrospectionServiceDeps } from './deps.js';
import { introspectionCallers } from './introspection-caller.js';
import { FORM_LIMITS, IntrospectionForm, IntrospectionQuery, parseForm } from './introspection-form.js';
import {
  type CallersRequest,
  type MeteredIntrospection,
  meteredIntrospection,
} from './metered-introspection.js';
import { INTROSPECTION_ERRORS } from './presentation.js';
import { responseSigner, SIGNED_CONTENT_TYPE } from './signed-responses.js';

/** The introspection endpoint as a Fastify plugin, for a server that `createServer` made. */
export const introspectionRoutes: FastifyPluginAsync<IntrospectionServiceDeps> = async (app, deps) => {
  const routeGroup = introspectionRouteGroup(deps);
  const document = introspectionApi(routeGroup, deps.issuer);
  await app.register(
    documentedRouteGroup(routeGroup, { path: API_DOCUMENT_PATH, document, hasPage: deps.hasApiPage }),
  );
};

/** The route group of the introspection endpoint. */
export function introspectionRouteGroup(deps: IntrospectionServiceDeps): RouteGroupOptions {
  return {
    name: 'introspection',
    body: formBody(FORM_LIMITS),
    errors: INTROSPECTION_ERRORS,
    successLevel: 'debug',
    routes: (resource) => resource(ENDPOINT_PATH.introspection, { POST: introspectToken(deps) }),
  };
}

/** A response body with its content type. */
interface ApiResponse {
  readonly contentType: string;
  readonly body: string;
}

/**
 * POST /token/introspect: authenticates the caller, introspects the token, and sends the response in the negotiated
 * format (introspection/API.md#introspect).
 */
function introspectToken(deps: IntrospectionServiceDeps): Route {
  const callers = introspectionCallers(deps);
  const metered = meteredIntrospection(deps);
  const responseTo = async (request: CallersRequest, format: IntrospectionFormat): Promise<ApiResponse> => {
    if (format === 'json') return jsonOf(serialized(deps, await metered.inspect(request)));
    const sign = await responseSigner(deps, request.caller, format);
    const introspection = await metered.inspect(request);
    return { contentType: SIGNED_CONTENT_TYPE[format], body: await sign(request.token, introspection) };
  };
  const respondQuickly = fastResponses(deps, metered);
  const refuse = async (error: unknown): Promise<never> => {
    if (error instanceof InvalidClientError) {
      deps.countRefusal?.(error.refusal.reason);
      await deps.failedAuthentications?.release();
    }
    throw error;
  };
  return route({
    description: INTROSPECT,
    schema: { body: IntrospectionForm, querystring: IntrospectionQuery },
    onRequest: varyByAccept,
    handler: ({ headers: { authorization, accept }, body: form, raw }, reply) => {
      const format = deps.format ?? introspectionFormat(accept);
      const credentials = { authorization, form };
      const caller = callers.known(credentials);
      if (caller !== undefined && format === 'json') {
        const { token, revoke } = parseForm(form);
        return respondQuickly({ token, revoke, caller }, reply);
      }
      const response = (identified: IntrospectionCaller) =>
        responseTo({ ...parseForm(form), caller: identified }, format);
      const made =
        caller === undefined ? callers.identify(credentials, raw).then(response) : response(caller);
      // One deadline for everything that is read in sequence: the client, its keys, the token.
      return withinStoreDeadline(made, nodeScheduler).then((it) => void send(reply, it), refuse);
    },
  });
}

/** Responds to cached callers in JSON, the hot path. Returns no promise when nothing has to be read. */
function fastResponses(deps: IntrospectionServiceDeps, { account, ask }: MeteredIntrospection) {
  return (request: CallersRequest, reply: Reply): Reply | Promise<void> => {
    const known = introspectCachedSerialized(deps, request);
    if (known === undefined) {
      // Consuming a token may take two statements in sequence.
      const asked = request.revoke ? withinStoreDeadline(ask(request), nodeScheduler) : ask(request);
      return asked.then((introspection) => void send(reply, jsonOf(serialized(deps, introspection))));
    }
    const spent = account(request, known.decision);
    return spent === undefined
      ? send(reply, jsonOf(known))
      : spent.then(() => void send(reply, jsonOf(known)));
  };
}

/** The response depends on `Accept`, which `Vary` says although no cache may store it (RFC 9110 section 12.5.5). */
const varyByAccept: Hook = (_request, reply, done) => {
  reply.header('vary', 'Accept');
  done();
};

function jsonOf({ text }: SerializedIntrospection): ApiResponse {
  return { contentType: JSON_CONTENT_TYPE, body: text };
}

function send(reply: Reply, { contentType, body }: ApiResponse): Reply {
  reply.header('content-type', contentType);
  return reply.send(body);
}
