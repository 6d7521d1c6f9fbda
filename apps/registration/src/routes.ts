import { matchesEntityTag } from '@vestibule/clients';
import {
  authorizeListing,
  changeClientStatus,
  deleteClient,
  dryRunUpdate,
  listClients,
  readClient,
  readClientStatus,
  requireTags,
  rotateClientSecret,
  rotateRegistrationToken,
  type UpdateClientInput,
  updateClient,
} from '@vestibule/clients/management';
import {
  dryRunRegistration,
  isRegistrationMember,
  isUpdateMember,
  registerClient,
} from '@vestibule/clients/registration';
import {
  closeSlowClient,
  JSON_CONTENT_TYPE,
  MCP_VERSION_HEADER,
  type Request,
  type Route,
  type RouteDefinition,
  type RouteGroupOptions,
  route,
} from '@vestibule/http';
import { type BodyFormat, jsonBody } from '@vestibule/http/bodies';
import { documentedRouteGroup, type OperationDescription } from '@vestibule/http/openapi';
import { preferredMediaType } from '@vestibule/protocol';
import { ENDPOINT_PATH, MEDIA_TYPE } from '@vestibule/protocol/constants';
import { MAX_BODY_BYTES } from '@vestibule/protocol/json';
import { requireMasterToken } from '@vestibule/service';
import type { FastifyPluginAsync, FastifySchema } from 'fastify';
import { Type } from 'typebox';
import {
  CHANGE_STATUS,
  LIST,
  PATCH,
  READ,
  READ_STATUS,
  REGISTER,
  REMOVE,
  ROTATE_REGISTRATION_TOKEN,
  ROTATE_SECRET,
  UPDATE,
  VERIFY,
} from './api-description.js';
import { API_DOCUMENT_PATH, registrationApi } from './api-document.js';
import { bearerToken, requireToken } from './bearer-token.js';
import { sendClient, sendEffective, sendStatus, sendUnchanged } from './client-reply.js';
import { ChangeStatusSchema } from './client-schemas.js';
import { jsonArrayStream, ndjsonStream } from './client-stream.js';
import type { RegistrationServiceDeps } from './deps.js';
import { ChangeQuery, isDryRun, noParameters, onlyChangeParameters } from './known-parameters.js';
import { ListQuery, listInput, nextLink } from './list-query.js';
import { managementAuthorities, managementRequest } from './management-authorities.js';
import { REGISTRATION_ERRORS } from './presentation.js';
import { registrationAuthorities, throwReported } from './registration-authorities.js';
import { VerificationRequest, verifyCredential } from './verify-credential.js';

/** The registration API as a Fastify plugin, for a server made by `createServer`. */
export const registrationRoutes: FastifyPluginAsync<RegistrationServiceDeps> = async (app, deps) => {
  const routeGroup = registrationRouteGroup(deps);
  const document = () => registrationApi(routeGroup, deps.settings.issuer);
  await app.register(
    documentedRouteGroup(routeGroup, { path: API_DOCUMENT_PATH, document, hasPage: deps.hasApiPage }),
  );
};

/** The operations of the API and what they share. */
export function registrationRouteGroup(deps: RegistrationServiceDeps): RouteGroupOptions {
  return {
    name: 'registration',
    body: jsonBody(),
    errors: REGISTRATION_ERRORS,
    crossOrigin: { origins: deps.allowedOrigins ?? [], ...PAGE_HEADERS },
    routes: (resource) => {
      resource(ENDPOINT_PATH.registration, { POST: register(deps), GET: list(deps) });
      resource(`${ENDPOINT_PATH.registration}/:id`, {
        GET: read(deps),
        PUT: update(deps),
        PATCH: patch(deps),
        DELETE: remove(deps),
      });
      resource(`${ENDPOINT_PATH.registration}/:id/status`, {
        GET: readStatus(deps),
        PUT: changeStatus(deps),
      });
      resource(`${ENDPOINT_PATH.registration}/:id/secret`, {
        POST: rotate(deps, ROTATE_SECRET, rotateClientSecret),
      });
      resource(`${ENDPOINT_PATH.registration}/:id/verify`, { POST: verify(deps) });
      resource(`${ENDPOINT_PATH.registration}/:id/registration-token`, {
        POST: rotate(deps, ROTATE_REGISTRATION_TOKEN, rotateRegistrationToken),
      });
    },
  };
}

/** Request and response headers for cross-origin pages, in addition to those that are always available. */
const PAGE_HEADERS = {
  requestHeaders: [
    ...['Authorization', 'Content-Type', 'If-Match', 'If-None-Match', 'Idempotency-Key', 'Accept'],
    MCP_VERSION_HEADER,
  ],
  exposedHeaders: ['ETag', 'Idempotency-Replayed', 'Link', 'Retry-After', 'WWW-Authenticate'],
};

/**
 * Timeout of a request without a body, in milliseconds. Reads have none, since a timer per read is expensive and every
 * statement has its own timeout. With a body, the timeout ends when the body has been read.
 */
const HANDLER_TIMEOUT_MS = 5_000;

/**
 * Body of a registration: unknown members are ignored whatever their value (RFC 7591 section 2). The operation
 * validates the others.
 */
function registrationBody(isRead: (name: string) => boolean, mediaType: string): BodyFormat {
  return jsonBody({
    mediaType,
    isRead,
    maxMembers: MAX_BODY_BYTES,
    maxElements: MAX_BODY_BYTES,
    maxTextBytes: MAX_BODY_BYTES,
    acceptsAnyText: true,
  });
}

/** Any JSON object; the operation validates its members. */
const AnyMetadata = Type.Object({}, { additionalProperties: true });

/** POST /clients (registration/API.md#register). */
function register(deps: RegistrationServiceDeps): Route {
  const authorities = registrationAuthorities(deps);
  return route({
    description: REGISTER,
    body: registrationBody(isRegistrationMember, MEDIA_TYPE.json),
    schema: { body: AnyMetadata, querystring: ChangeQuery },
    onRequest: authorities.decide,
    preHandler: onlyChangeParameters,
    handler: async (request, reply) => {
      const input = { authority: authorities.of(request), body: request.body };
      if (isDryRun(request.query)) return sendEffective(reply, await dryRunRegistration(deps, input));
      const registered = await registerClient(deps, input).catch((error: unknown) =>
        throwReported(deps, input.authority, error),
      );
      return sendClient(reply.code(deps.createdStatus), registered);
    },
  });
}

/** GET /clients (registration/API.md#list). */
function list(deps: RegistrationServiceDeps): Route {
  return route({
    description: LIST,
    schema: { querystring: ListQuery },
    onRequest: async (request: Request) => authorizeListing(deps, bearerToken(request)),
    handler: async (request, reply) => {
      const { query, headers } = request;
      const { pages, next } = await listClients(deps, { token: bearerToken(request), ...listInput(query) });
      const form = preferredMediaType(headers.accept, [MEDIA_TYPE.json, MEDIA_TYPE.ndjson]);
      const [contentType, stream] =
        form === MEDIA_TYPE.ndjson
          ? [MEDIA_TYPE.ndjson, await ndjsonStream(pages)]
          : [JSON_CONTENT_TYPE, await jsonArrayStream(pages)];
      if (next !== undefined) reply.header('link', nextLink(deps.settings.issuer, query, next));
      closeSlowClient(reply);
      return reply.header('content-type', contentType).header('vary', 'Accept').send(stream);
    },
  });
}

/** GET /clients/{id} (registration/API.md#read). */
function read(deps: RegistrationServiceDeps): Route {
  return route({
    description: READ,
    onRequest: requireToken,
    handler: async (request, reply) => {
      const input = managementRequest(request);
      const response = await readClient(deps, input);
      requireTags(deps, response, { ifMatch: input.ifMatch });
      const held = input.ifNoneMatch;
      const isHeld = held !== undefined && matchesEntityTag(deps.digester.matchesAvailable, response, held);
      return isHeld ? sendUnchanged(reply, response) : sendClient(reply, response);
    },
  });
}

/** PUT /clients/{id} (registration/API.md#update). */
function update(deps: RegistrationServiceDeps): Route {
  return change(deps, { description: UPDATE, body: registrationBody(isUpdateMember, MEDIA_TYPE.json) });
}

/** PATCH /clients/{id}, by JSON Merge Patch (RFC 5789, RFC 7396). */
function patch(deps: RegistrationServiceDeps): Route {
  const body = registrationBody(isUpdateMember, MEDIA_TYPE.mergePatch);
  return change(deps, { description: PATCH, body, isPatch: true });
}

/** How the two kinds of update differ. */
type ChangeForm = Pick<RouteDefinition<FastifySchema>, 'description' | 'body'> &
  Pick<UpdateClientInput, 'isPatch'>;

function change(deps: RegistrationServiceDeps, { isPatch, ...form }: ChangeForm): Route {
  const authorities = managementAuthorities(deps, 'update');
  return route({
    ...form,
    schema: { body: AnyMetadata, querystring: ChangeQuery },
    onRequest: authorities.decide,
    preHandler: onlyChangeParameters,
    handler: async (request, reply) => {
      const managed = authorities.of(request);
      const input = { managed, body: request.body, isPatch, ...managementRequest(request) };
      if (isDryRun(request.query)) return sendEffective(reply, await dryRunUpdate(deps, input));
      return sendClient(reply, await updateClient(deps, input));
    },
  });
}

/** DELETE /clients/{id} (registration/API.md#delete). */
function remove(deps: RegistrationServiceDeps): Route {
  return route({
    description: REMOVE,
    handlerTimeoutMs: HANDLER_TIMEOUT_MS,
    onRequest: managementAuthorities(deps).decide,
    preHandler: noParameters,
    handler: async (request, reply) => {
      await deleteClient(deps, managementRequest(request));
      return reply.code(204).send();
    },
  });
}

/** GET /clients/{id}/status */
function readStatus(deps: RegistrationServiceDeps): Route {
  return route({
    description: READ_STATUS,
    handlerTimeoutMs: HANDLER_TIMEOUT_MS,
    onRequest: requireToken,
    handler: async (request, reply) =>
      sendStatus(reply, await readClientStatus(deps, managementRequest(request))),
  });
}

/** PUT /clients/{id}/status */
function changeStatus(deps: RegistrationServiceDeps): Route {
  return route({
    description: CHANGE_STATUS,
    schema: { body: ChangeStatusSchema },
    onRequest: managementAuthorities(deps).decide,
    preHandler: noParameters,
    handler: async (request, reply) => {
      const { status } = request.body;
      return sendStatus(reply, await changeClientStatus(deps, { ...managementRequest(request), status }));
    },
  });
}

/** POST /clients/{id}/secret and /clients/{id}/registration-token, rate-limited like updates. */
function rotate(
  deps: RegistrationServiceDeps,
  description: OperationDescription,
  operation: typeof rotateClientSecret,
): Route {
  return route({
    description,
    handlerTimeoutMs: HANDLER_TIMEOUT_MS,
    onRequest: managementAuthorities(deps, 'update').decide,
    preHandler: noParameters,
    handler: async (request, reply) => sendClient(reply, await operation(deps, managementRequest(request))),
  });
}

/** POST /clients/{client_id}/verify (registration/API.md#verify), only with the master token. */
function verify(deps: RegistrationServiceDeps): Route {
  return route({
    description: VERIFY,
    // A credential may contain any characters.
    body: jsonBody({ acceptsAnyText: true }),
    schema: { body: VerificationRequest },
    onRequest: requireMasterToken(deps.masterToken),
    preHandler: noParameters,
    handler: async (request, reply) => {
      const { id } = request.params as { readonly id: string };
      const verification = await verifyCredential(deps.verification, id, request.body);
      return reply.header('content-type', JSON_CONTENT_TYPE).send(JSON.stringify(verification));
    },
  });
}
