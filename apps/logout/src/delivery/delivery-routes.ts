import type { MasterToken } from '@vestibule/crypto';
import {
  bearerChallenge,
  JSON_CONTENT_TYPE,
  type Route,
  type RouteGroupOptions,
  route,
} from '@vestibule/http';
import { jsonBody } from '@vestibule/http/bodies';
import { type ErrorTable, emptyError, jsonError } from '@vestibule/http/errors';
import { documentedRouteGroup } from '@vestibule/http/openapi';
import type { DeliveryOutbox } from '@vestibule/logout/delivery';
import { DomainError, type Issuer, parseClientId } from '@vestibule/protocol';
import { ENDPOINT_PATH } from '@vestibule/protocol/constants';
import { requireMasterToken } from '@vestibule/service';
import type { FastifyPluginAsync } from 'fastify';
import { type Static, Type } from 'typebox';
import { DELIVERY_DOCUMENT_PATH, deliveryApi, LIST_DELIVERIES, REDELIVER } from './delivery-api.js';
import { deliveryResponse } from './delivery-response.js';

/** Dependencies of the delivery routes. */
export interface DeliveryRoutesDeps {
  readonly issuer: Issuer;
  readonly masterToken: MasterToken;
  readonly outbox: Pick<DeliveryOutbox, 'list' | 'redeliver'>;
  /** Whether the API document has a page. Default: no. */
  readonly hasApiPage?: boolean;
}

/** Presentation of errors of the delivery routes. */
export const DELIVERY_ERRORS: ErrorTable = {
  invalid_request: jsonError(400),
  missing_token: bearerChallenge(401),
  invalid_token: bearerChallenge(401, { error: 'invalid_token' }),
  not_found: emptyError(404),
  method_not_allowed: emptyError(405),
};

const DELIVERIES_PATH = `${ENDPOINT_PATH.logout}/deliveries`;
const DEFAULT_LIMIT = 100;
const HANDLER_TIMEOUT_MS = 5_000;

const Name = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 255, pattern: '^[^\\u0000]*$' });

const ListQuery = Type.Object({
  state: Type.Optional(
    Type.Enum(['pending', 'delivered', 'dead'], { description: 'Only notifications in this state.' }),
  ),
  client_id: Type.Optional(
    Type.String({ description: 'Only notifications of this client.', minLength: 1, maxLength: 2048 }),
  ),
  sub: Type.Optional(Name('Only notifications about this end-user.')),
  sid: Type.Optional(
    Name('Only notifications of this session, by its own identifier or by the `sid` of any of its clients.'),
  ),
  cursor: Type.Optional(
    Type.String({
      description: 'Cursor from the `next` link of the previous page; the filters must be the same.',
      pattern: '^[0-9]{1,18}$',
    }),
  ),
  limit: Type.Optional(
    Type.String({
      description: 'Maximum number of notifications in the response, 1 to 1000. Default: 100.',
      pattern: '^(?:[1-9][0-9]{0,2}|1000)$',
    }),
  ),
});

/** The delivery routes as a Fastify plugin, for a server made by `createServer`. */
export const deliveryRoutes: FastifyPluginAsync<DeliveryRoutesDeps> = async (app, deps) => {
  const routeGroup = deliveryRouteGroup(deps);
  const document = () => deliveryApi(routeGroup, deps.issuer);
  await app.register(
    documentedRouteGroup(routeGroup, { path: DELIVERY_DOCUMENT_PATH, document, hasPage: deps.hasApiPage }),
  );
};

/** The route group of the delivery operations. */
export function deliveryRouteGroup(deps: DeliveryRoutesDeps): RouteGroupOptions {
  return {
    name: 'deliveries',
    body: jsonBody(),
    errors: DELIVERY_ERRORS,
    routes: (resource) => {
      resource(DELIVERIES_PATH, { GET: list(deps) });
      resource(`${DELIVERIES_PATH}/:id/redeliver`, { POST: redeliver(deps) });
    },
  };
}

function list({ issuer, masterToken, outbox }: DeliveryRoutesDeps): Route {
  return route({
    description: LIST_DELIVERIES,
    schema: { querystring: ListQuery },
    handlerTimeoutMs: HANDLER_TIMEOUT_MS,
    onRequest: requireMasterToken(masterToken),
    handler: async (request, reply) => {
      const selection = selectionOf(request.query);
      const records = selection === undefined ? [] : await outbox.list(selection);
      const last = records.length === selection?.limit ? records.at(-1) : undefined;
      if (last !== undefined) {
        const query = new URLSearchParams({ ...request.query, cursor: last.id });
        reply.header('link', `<${issuer}${DELIVERIES_PATH}?${query}>; rel="next"`);
      }
      reply.header('content-type', JSON_CONTENT_TYPE);
      return reply.send(JSON.stringify(records.map(deliveryResponse)));
    },
  });
}

/**
 * Parses the filters; `undefined` for a client that cannot exist.
 * @throws DomainError `invalid_request` for an unknown parameter: a misspelt filter would silently list everything.
 */
function selectionOf(query: Static<typeof ListQuery>) {
  if (!Object.keys(query).every((name) => Object.hasOwn(ListQuery.properties, name)))
    throw new DomainError(
      'invalid_request',
      'The query has an unknown parameter; the list takes state, client_id, sub, sid, limit and cursor.',
    );
  const { state, client_id: client, sub, sid, cursor, limit = DEFAULT_LIMIT } = query;
  const clientId = client === undefined ? undefined : parseClientId(client);
  if (client !== undefined && clientId === undefined) return undefined;
  return {
    limit: Number(limit),
    ...(state !== undefined && { state }),
    ...(clientId !== undefined && { clientId }),
    ...(sub !== undefined && { subject: sub }),
    ...(sid !== undefined && { session: sid }),
    ...(cursor !== undefined && { before: cursor }),
  };
}

const IDENTIFIER = /^[0-9]{1,18}$/;

function redeliver({ masterToken, outbox }: DeliveryRoutesDeps): Route {
  return route({
    description: REDELIVER,
    handlerTimeoutMs: HANDLER_TIMEOUT_MS,
    onRequest: requireMasterToken(masterToken),
    handler: async (request, reply) => {
      const { id } = request.params as { readonly id: string };
      const outcome = IDENTIFIER.test(id) ? await outbox.redeliver(id) : 'unknown';
      if (outcome === 'unknown') throw new DomainError('not_found', 'there is no such notification');
      return reply.code(outcome === 'queued' ? 202 : 409).send();
    },
  });
}
