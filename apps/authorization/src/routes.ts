import {
  type AddResource,
  defineRouteGroup,
  JSON_CONTENT_TYPE,
  PUBLIC_DOCUMENT,
  type Reply,
  type Route,
  type RouteGroupOptions,
  route,
} from '@vestibule/http';
import { jsonBody } from '@vestibule/http/bodies';
import { documentedRouteGroup } from '@vestibule/http/openapi';
import { pageHeaders } from '@vestibule/http/pages';
import { ENDPOINT_PATH, MEDIA_TYPE } from '@vestibule/protocol/constants';
import { requireMasterToken } from '@vestibule/service';
import type { FastifyPluginAsync } from 'fastify';
import { END_SESSION, ENTER_SESSION, ISSUE, OPEN_SESSION, REVOKE } from './api-description.js';
import { API_DOCUMENT_PATH, directAuthorizationApi } from './api-document.js';
import { readChanges } from './changes/change-route.js';
import type { AuthorizationServiceDeps } from './deps.js';
import { directAuthorization } from './direct-authorization.js';
import { DirectAuthorizationRequest } from './direct-authorization-request.js';
import { DirectRevocationRequest, directRevocation } from './direct-revocation.js';
import { DirectSessionRequest, endDirectSession, openDirectSession } from './direct-sessions.js';
import { discoveryDocument } from './discovery.js';
import { discoveryPaths } from './discovery-paths.js';
import { enterDirectSession, SessionClientRequest } from './enter-session.js';
import { providerInteractionHost } from './interaction/provider-interaction-host.js';
import { startPage } from './pages/start-page.js';
import { AUTHORIZATION_ERRORS } from './presentation.js';
import { postedRequests } from './provider/posted-requests.js';
import { createProviderHost, type ProviderHost } from './provider/provider-host.js';
import { addProvider, UNTOUCHED_BODY } from './provider/provider-routes.js';
import { importTokens } from './token-import.js';

/** The endpoints of the authorization server as a Fastify plugin, for a server made by `createServer`. */
export const authorizationRoutes: FastifyPluginAsync<AuthorizationServiceDeps> = async (app, deps) => {
  const { isProvider = true } = deps;
  const host = createProviderHost(deps);
  // Before the server waits for its open connections.
  app.addHook('preClose', async () => deps.changes.end());
  if (isProvider) await app.register(providerRoutes(host, deps));
  const routeGroup = directAuthorizationRouteGroup(deps, host);
  await app.register(
    documentedRouteGroup(
      {
        ...routeGroup,
        routes: (resource) => {
          routeGroup.routes(resource);
          resource(ENDPOINT_PATH.jwks, { GET: publicKeySet(deps) }, PUBLIC_DOCUMENT);
          if (isProvider) addDiscovery(resource, deps);
          if (isProvider && deps.hasStartPage) resource('/', { GET: startingPage(deps.logoutPath) });
        },
      },
      {
        path: API_DOCUMENT_PATH,
        document: () => directAuthorizationApi(routeGroup, deps.issuer),
        hasPage: deps.hasApiPage,
      },
    ),
  );
};

/** The endpoints of the OpenID provider, and the pages for login and consent. */
function providerRoutes(host: ProviderHost, deps: AuthorizationServiceDeps): FastifyPluginAsync {
  return async (app) => {
    await app.register(
      defineRouteGroup({
        name: 'provider',
        body: UNTOUCHED_BODY,
        errors: AUTHORIZATION_ERRORS,
        routes: (resource) => addProvider(resource, { ...deps, host, postedRequests: postedRequests(deps) }),
      }),
    );
    await app.register(deps.interaction.pages(providerInteractionHost(host, deps)));
  };
}

/** The route group of the direct authorization endpoint. */
export function directAuthorizationRouteGroup(
  deps: AuthorizationServiceDeps,
  host: ProviderHost,
): RouteGroupOptions {
  return {
    name: 'authorization',
    body: jsonBody(),
    errors: AUTHORIZATION_ERRORS,
    routes: (resource) => {
      addDirectAuthorization(resource, deps);
      addDirectSessions(resource, deps, host);
      resource(`${ENDPOINT_PATH.directAuthorization}/changes`, { GET: readChanges(deps) });
    },
  };
}

function addDirectAuthorization(resource: AddResource, deps: AuthorizationServiceDeps): void {
  const onRequest = requireMasterToken(deps.masterToken);
  const issue = route({
    description: ISSUE,
    schema: { body: DirectAuthorizationRequest },
    onRequest,
    handler: async (request, reply) => {
      const response = await directAuthorization(deps, request.body);
      return reply.header('content-type', JSON_CONTENT_TYPE).send(JSON.stringify(response));
    },
  });
  const revoke = route({
    description: REVOKE,
    schema: { body: DirectRevocationRequest },
    onRequest,
    handler: async (request, reply) => {
      await directRevocation(deps, request.body);
      return reply.code(204).send();
    },
  });
  resource(ENDPOINT_PATH.directAuthorization, { POST: issue });
  resource(`${ENDPOINT_PATH.directAuthorization}/revoke`, { POST: revoke });
  resource(`${ENDPOINT_PATH.directAuthorization}/tokens`, { POST: importTokens(deps) });
}

function addDirectSessions(resource: AddResource, deps: AuthorizationServiceDeps, host: ProviderHost): void {
  const onRequest = requireMasterToken(deps.masterToken);
  const open = route({
    description: OPEN_SESSION,
    schema: { body: DirectSessionRequest },
    onRequest,
    handler: async (request, reply) => {
      const session = await openDirectSession(deps, host, request.body);
      return reply.header('content-type', JSON_CONTENT_TYPE).send(JSON.stringify(session));
    },
  });
  const enter = route({
    description: ENTER_SESSION,
    schema: { body: SessionClientRequest },
    onRequest,
    handler: async (request, reply) => {
      const { sid } = request.params as { readonly sid: string };
      const client = await enterDirectSession(deps, sid, request.body);
      return reply.header('content-type', JSON_CONTENT_TYPE).send(JSON.stringify(client));
    },
  });
  const end = route({
    description: END_SESSION,
    onRequest,
    handler: async (request, reply) => {
      const { sid } = request.params as { readonly sid: string };
      await endDirectSession(deps, sid);
      return reply.code(204).send();
    },
  });
  resource(`${ENDPOINT_PATH.directAuthorization}/sessions`, { POST: open });
  resource(`${ENDPOINT_PATH.directAuthorization}/sessions/:sid`, { DELETE: end });
  resource(`${ENDPOINT_PATH.directAuthorization}/sessions/:sid/clients`, { POST: enter });
}

function startingPage(logoutPath: string): Route {
  const { policy, content } = startPage(logoutPath);
  const headers = pageHeaders(policy);
  return route({ handler: (_request, reply) => reply.headers(headers).send(content) });
}

function addDiscovery(resource: AddResource, deps: AuthorizationServiceDeps): void {
  const discovery = document(JSON_CONTENT_TYPE, () => discoveryDocument(deps));
  for (const path of discoveryPaths(deps.issuer)) resource(path, { GET: discovery }, PUBLIC_DOCUMENT);
}

/** The public key set, cacheable so that verifiers need not fetch it for each token. */
function publicKeySet({ publicKeys, publicKeysMaxAgeSeconds }: AuthorizationServiceDeps): Route {
  return route({
    handler: (_request, reply) => {
      // Read first: an error response, before there are keys, must not be cached.
      const keys = publicKeys();
      reply.removeHeader('pragma').header('cache-control', `public, max-age=${publicKeysMaxAgeSeconds}`);
      sendDocument(reply, MEDIA_TYPE.jwkSet, keys);
    },
  });
}

function document(contentType: string, content: () => unknown): Route {
  return route({
    handler: (_request, reply) => {
      sendDocument(reply, contentType, content());
    },
  });
}

function sendDocument(reply: Reply, contentType: string, content: unknown): void {
  // As bytes: Fastify would add a charset to a string, which not every media type has.
  reply.header('content-type', contentType).send(Buffer.from(JSON.stringify(content)));
}
