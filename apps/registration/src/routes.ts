import {
  type ClientAnswer,
  deleteClient,
  listClients,
  readClient,
  registerClient,
  updateClient,
} from '@vestibule/clients';
import { ENDPOINT_PATH } from '@vestibule/protocol';
import {
  endpointFamily,
  JSON_CONTENT_TYPE,
  jsonBody,
  type Reply,
  type Request,
  type Route,
  route,
} from '@vestibule/service-kit';
import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import { bearerToken, requireToken } from './bearer-token.js';
import type { RegistrationServiceDeps } from './deps.js';
import { jsonArrayStream } from './json-array-stream.js';
import { REGISTRATION_ERRORS } from './presentation.js';
import { registrationAuthorities } from './registration-authorities.js';

/** The client registration endpoint as a Fastify plugin, for a server that `createServer` made. */
export const registrationRoutes: FastifyPluginAsync<RegistrationServiceDeps> = async (app, deps) => {
  await app.register(
    endpointFamily({
      name: 'registration',
      body: jsonBody(),
      errors: REGISTRATION_ERRORS,
      routes: (resource) => {
        resource(ENDPOINT_PATH.registration, { POST: register(deps), GET: list(deps) });
        resource(`${ENDPOINT_PATH.registration}/:id`, {
          GET: read(deps),
          PUT: update(deps),
          DELETE: remove(deps),
        });
      },
    }),
  );
};

/** Any JSON object; what its members mean is for the operation, which keeps unknown ones apart (RFC 7591 section 2). */
const AnyMetadata = Type.Object({}, { additionalProperties: true });

/** POST /clients (Seed 4.1). */
function register(deps: RegistrationServiceDeps): Route {
  const authorities = registrationAuthorities(deps);
  return route({
    schema: { body: AnyMetadata },
    onRequest: authorities.decide,
    handler: async (request, reply) => {
      const answer = await registerClient(deps, { authority: authorities.of(request), body: request.body });
      return sendClient(reply.code(deps.createdStatus), answer);
    },
  });
}

/** GET /clients (Seed 4.2). */
function list(deps: RegistrationServiceDeps): Route {
  return route({
    onRequest: requireToken,
    handler: async (request, reply) => {
      const pages = await listClients(deps, { token: bearerToken(request) });
      return reply.header('content-type', JSON_CONTENT_TYPE).send(await jsonArrayStream(pages));
    },
  });
}

/** GET /clients/{id} (Seed 4.3). */
function read(deps: RegistrationServiceDeps): Route {
  return route({
    onRequest: requireToken,
    handler: async (request, reply) => sendClient(reply, await readClient(deps, managementRequest(request))),
  });
}

/** PUT /clients/{id} (Seed 4.4). */
function update(deps: RegistrationServiceDeps): Route {
  return route({
    schema: { body: AnyMetadata },
    onRequest: requireToken,
    handler: async (request, reply) => {
      const input = { ...managementRequest(request), body: request.body };
      return sendClient(reply, await updateClient(deps, input));
    },
  });
}

/** DELETE /clients/{id} (Seed 4.5). */
function remove(deps: RegistrationServiceDeps): Route {
  return route({
    onRequest: requireToken,
    handler: async (request, reply) => {
      await deleteClient(deps, managementRequest(request));
      return reply.code(204).send();
    },
  });
}

function managementRequest(request: Pick<Request, 'headers' | 'params'>) {
  // The pattern of the address says that there is an identifier; the router has decoded it.
  const { id } = request.params as { readonly id: string };
  return { id, token: bearerToken(request) };
}

function sendClient(reply: Reply, { information }: ClientAnswer): Reply {
  return reply.header('content-type', JSON_CONTENT_TYPE).send(JSON.stringify(information));
}
