import type { IncomingMessage } from 'node:http';
import type { IntrospectionCaller } from '@vestibule/client-auth';
import {
  type FastPath,
  type Hook,
  JSON_CONTENT_TYPE,
  type Reply,
  type Route,
  type RouteGroupOptions,
  route,
} from '@vestibule/http';
import { formBody } from '@vestibule/http/bodies';
import { documentedRouteGroup } from '@vestibule/http/openapi';
import { nowSeconds } from '@vestibule/protocol';
import { ENDPOINT_PATH, introspectionEndpoint } from '@vestibule/protocol/constants';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import { withinStoreDeadline } from '@vestibule/tokens/cache';
import {
  type Introspection,
  type IntrospectionFormat,
  introspect,
  introspectionFormat,
  type SignedFormat,
} from '@vestibule/tokens/introspection';
import type { FastifyPluginAsync } from 'fastify';
import { INTROSPECT } from './api-description.js';
import { API_DOCUMENT_PATH, introspectionApi } from './api-document.js';
import { addCacheTags, prefersCacheTags } from './cache-tags.js';
import { followChanges } from './change-route.js';
import type { IntrospectionServiceDeps } from './deps.js';
import { callerAuthentication, rethrowNoted } from './introspection-caller.js';
import {
  type CallersRequest,
  callersRequest,
  FORM_LIMITS,
  type Form,
  IntrospectionForm,
  IntrospectionQuery,
} from './introspection-form.js';
import { INTROSPECTION_ERRORS } from './presentation.js';
import { responseSigner, SIGNED_CONTENT_TYPE } from './signed-responses.js';

const FORM = formBody(FORM_LIMITS);
/** The response depends on `Accept`, which `Vary` says although no cache may store it (RFC 9110 section 12.5.5). */
const VARY = { vary: 'Accept' } as const;

/** The introspection endpoint as a Fastify plugin, for a server that `createServer` made. */
export const introspectionRoutes: FastifyPluginAsync<IntrospectionServiceDeps> = async (app, deps) => {
  // Before the server waits for its open connections.
  app.addHook('preClose', async () => deps.changes?.end());
  const routeGroup = introspectionRouteGroup(deps);
  const document = () => introspectionApi(routeGroup, deps.issuer);
  await app.register(
    documentedRouteGroup(routeGroup, { path: API_DOCUMENT_PATH, document, hasPage: deps.hasApiPage }),
  );
};

/** The route group of the introspection endpoint. */
export function introspectionRouteGroup(deps: IntrospectionServiceDeps): RouteGroupOptions {
  return {
    name: 'introspection',
    body: FORM,
    errors: INTROSPECTION_ERRORS,
    successLevel: 'debug',
    routes: (resource) => {
      resource(ENDPOINT_PATH.introspection, { POST: introspectToken(deps) });
      resource(ENDPOINT_PATH.tokenChanges, { GET: followChanges(deps) });
    },
  };
}

/**
 * POST /token/introspect (introspection/API.md#introspect): authenticates the caller, looks the token up and decides
 * about it, counts the decision against metrics and rate limit, serializes the response in the negotiated format, and
 * sends it. Makes no promise when nothing has to be awaited: for a cached caller and a cached token, in JSON.
 */
function introspectToken(deps: IntrospectionServiceDeps): Route {
  const authentication = callerAuthentication(deps, {
    method: 'POST',
    address: introspectionEndpoint(deps.issuer),
  });
  const bodyAfter = (caller: IntrospectionCaller, form: Form, format: IntrospectionFormat) => {
    const request = callersRequest(form, caller);
    return format === 'json' ? jsonBody(deps, request) : signedBody(deps, request, format);
  };
  const bodyLater = async (caller: Promise<IntrospectionCaller>, form: Form, format: IntrospectionFormat) =>
    bodyAfter(await caller, form, format);
  const bodyFor = (message: IncomingMessage, form: Form, format: IntrospectionFormat) => {
    const caller = authentication.identify({ authorization: message.headers.authorization, form }, message);
    const body =
      caller instanceof Promise ? bodyLater(caller, form, format) : bodyAfter(caller, form, format);
    if (!(body instanceof Promise)) return body;
    // One deadline for everything that is read in sequence: the client, its keys, the token. A single read has its own.
    const isSequence = caller instanceof Promise || format !== 'json' || form.revoke === 'true';
    return (isSequence ? withinStoreDeadline(body, nodeScheduler) : body).catch((error) =>
      rethrowNoted(deps, error),
    );
  };
  const sendLater = async (body: Promise<string>, format: IntrospectionFormat, reply: Reply) => {
    send(await body, format, reply);
  };
  const fastPath: FastPath = {
    form: FORM,
    headers: { ...VARY, 'content-type': JSON_CONTENT_TYPE },
    respond: (message, form) => {
      const format = deps.format ?? introspectionFormat(message.headers.accept);
      if (format !== 'json') return undefined;
      // As the server lets requests wait after a pause of the machine.
      const settling = deps.pauses?.settle();
      return settling === undefined
        ? bodyFor(message, form, format)
        : settling.then(() => bodyFor(message, form, format));
    },
  };
  const sendTagged = async ({ caller, form, format, position }: TaggedRequest, reply: Reply) => {
    const tagged = async () => {
      const request = callersRequest(form, await caller);
      return { request, ...(await respond(deps, request, format)) };
    };
    const { request, introspection, body } = await withinStoreDeadline(tagged(), nodeScheduler).catch(
      (error) => rethrowNoted(deps, error),
    );
    const now = nowSeconds(deps.clock);
    const {
      token,
      caller: { clientId },
    } = request;
    const tags = deps.changes?.tagsOf({ token, caller: clientId, introspection, position, now });
    if (tags !== undefined) addCacheTags(reply, tags);
    send(body, format, reply);
  };
  return route({
    description: INTROSPECT,
    schema: { body: IntrospectionForm, querystring: IntrospectionQuery },
    onRequest: varyByAccept,
    handler: ({ headers: { authorization, accept, prefer }, body: form, raw }, reply) => {
      const format = deps.format ?? introspectionFormat(accept);
      // Before the caller is authenticated.
      const position =
        prefer !== undefined && prefersCacheTags(prefer) ? deps.changes?.position() : undefined;
      if (position !== undefined) {
        const caller = authentication.identify({ authorization, form }, raw);
        return sendTagged({ caller, form, format, position }, reply);
      }
      const body = bodyFor(raw, form, format);
      return body instanceof Promise ? sendLater(body, format, reply) : send(body, format, reply);
    },
    ...(deps.hasFastPath && (deps.format ?? 'json') === 'json' && { fastPath }),
  });
}

/** A request whose response may be kept. */
interface TaggedRequest {
  readonly caller: IntrospectionCaller | Promise<IntrospectionCaller>;
  readonly form: Form;
  readonly format: IntrospectionFormat;
  /** The position of the stream before the caller was authenticated. */
  readonly position: string;
}

/** Has no closures, which would be allocated on the hot path too; what awaits is in functions of its own. */
function jsonBody(deps: IntrospectionServiceDeps, request: CallersRequest): string | Promise<string> {
  const introspection = introspect(deps, request);
  if (introspection instanceof Promise) return jsonBodyLater(deps, request, introspection);
  const counted = count(deps, request, introspection);
  return counted === undefined ? introspection.text : textAfter(counted, introspection);
}

async function jsonBodyLater(
  deps: IntrospectionServiceDeps,
  request: CallersRequest,
  pending: Promise<Introspection>,
): Promise<string> {
  const introspection = await pending;
  await count(deps, request, introspection);
  return introspection.text;
}

async function textAfter(counted: Promise<void>, introspection: Introspection): Promise<string> {
  await counted;
  return introspection.text;
}

async function signedBody(
  deps: IntrospectionServiceDeps,
  request: CallersRequest,
  format: SignedFormat,
): Promise<string> {
  return (await respond(deps, request, format)).body;
}

/** Introspects, counts and writes the response in any format. */
async function respond(
  deps: IntrospectionServiceDeps,
  request: CallersRequest,
  format: IntrospectionFormat,
): Promise<{ readonly introspection: Introspection; readonly body: string }> {
  // First, so that a missing key is detected before the token is consumed.
  const sign = format === 'json' ? undefined : await responseSigner(deps, request.caller, format);
  const introspection = await introspect(deps, request);
  await count(deps, request, introspection);
  const body = sign === undefined ? introspection.text : await sign(request.token, introspection);
  return { introspection, body };
}

/** Counts a decision against metrics and rate limit. When it rejects, the response must not be sent. */
function count(
  deps: IntrospectionServiceDeps,
  { caller }: CallersRequest,
  { decision }: Introspection,
): Promise<void> | undefined {
  deps.outcomes?.count(decision);
  return decision.active
    ? undefined
    : deps.inactiveResponseRateLimit?.consume(caller.clientId, decision.reason);
}

const varyByAccept: Hook = (_request, reply, done) => {
  reply.headers(VARY);
  done();
};

function send(body: string, format: IntrospectionFormat, reply: Reply): Reply {
  reply.header('content-type', format === 'json' ? JSON_CONTENT_TYPE : SIGNED_CONTENT_TYPE[format]);
  return reply.send(body);
}
