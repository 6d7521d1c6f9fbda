import type { MasterToken } from '@vestibule/crypto';
import type { StatementBody } from '@vestibule/federation/registration';
import {
  type AddResource,
  type Hook,
  JSON_CONTENT_TYPE,
  networkOf,
  PUBLIC_DOCUMENT,
  type Reply,
  type Request,
  type Route,
  type RouteGroupOptions,
  route,
} from '@vestibule/http';
import { textBody } from '@vestibule/http/bodies';
import { documentedRouteGroup, type OperationDescription } from '@vestibule/http/openapi';
import { DomainError, preferredMediaType } from '@vestibule/protocol';
import { ENDPOINT_PATH, MEDIA_TYPE } from '@vestibule/protocol/constants';
import { checkMasterToken, requireMasterToken } from '@vestibule/service';
import { refusalDelay } from '@vestibule/service/federation';
import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import {
  CONFIGURATION,
  DRY_RUN,
  EXPLAIN,
  HISTORICAL_KEYS,
  REGISTER,
  SIGNED_KEYS,
} from './api/api-description.js';
import { API_DOCUMENT_PATH, federationApi } from './api/api-document.js';
import { ExplanationParameters } from './api/explanation-parameters.js';
import { enabled, type Federation, type FederationServiceDeps } from './deps.js';
import { dryRunEntity, type EntityExplanation, explainEntity } from './explain-entity.js';
import { explanationPageRoutes } from './explanation-page-routes.js';
import { type OwnStatement, ownConfiguration, signedHistoricalKeys, signedKeySet } from './own-statements.js';
import { explanationPage } from './pages/explanation-page.js';
import { FEDERATION_ERRORS } from './presentation.js';
import { registerEntity } from './register-entity.js';

/** Large enough for a trust chain whose statements have trust chains in their headers. */
const MAX_BODY_BYTES = 393_216;

/** The federation endpoints as a Fastify plugin, for a server made by `createServer`. */
export const federationRoutes: FastifyPluginAsync<FederationServiceDeps> = async (app, deps) => {
  const routeGroup = federationRouteGroup(deps);
  const document = () => federationApi(routeGroup, deps.issuer);
  await app.register(
    documentedRouteGroup(routeGroup, { path: API_DOCUMENT_PATH, document, hasPage: deps.hasApiPage }),
  );
};

/** The route group of the federation operations. */
export function federationRouteGroup(deps: FederationServiceDeps): RouteGroupOptions {
  return {
    name: 'federation',
    body: textBody({
      mediaTypes: [MEDIA_TYPE.jose, MEDIA_TYPE.entityStatementJwt, MEDIA_TYPE.trustChainJson],
      maxBytes: MAX_BODY_BYTES,
    }),
    errors: FEDERATION_ERRORS,
    routes: (resource) => {
      resource(ENDPOINT_PATH.federationRegistration, { POST: register(deps) });
      addOwnStatements(resource, deps);
      resource(ENDPOINT_PATH.federationExplanation, { GET: explain(deps), POST: dryRun(deps) });
      resource(ENDPOINT_PATH.federationExplanationPage, explanationPageRoutes(deps));
    },
  };
}

/** Documents that verifiers read, also those that run in a browser. */
function addOwnStatements(resource: AddResource, deps: FederationServiceDeps): void {
  const documents = {
    [ENDPOINT_PATH.entityConfiguration]: publish(deps, CONFIGURATION, ownConfiguration),
    [ENDPOINT_PATH.signedJwks]: publish(deps, SIGNED_KEYS, signedKeySet),
    [ENDPOINT_PATH.historicalKeys]: publish(deps, HISTORICAL_KEYS, signedHistoricalKeys),
  };
  for (const [path, document] of Object.entries(documents))
    resource(path, { GET: document }, PUBLIC_DOCUMENT);
}

/** POST /federation/clients (federation/API.md#register). */
function register({ federation }: FederationServiceDeps): Route {
  return route({
    description: REGISTER,
    schema: { body: Type.String() },
    onRequest: (request, _reply, done) => {
      enabled(federation)
        .admit(networkOf(request.ip))
        .then(() => done(), done);
    },
    handler: async (request, reply) => {
      const entered = enabled(federation);
      const body = statementBody(request, request.body);
      const { registration } = entered.metrics;
      const delayed = refusalDelay();
      const statement = await registration('explicit', registerEntity(entered, body)).catch(delayed);
      return sendStatement(reply, statement);
    },
  });
}

/** Publishes a document of ours; 404 if federation is not enabled. */
function publish(
  { federation }: FederationServiceDeps,
  description: OperationDescription,
  make: (entity: Federation['provider'], clock: Federation['clock']) => Promise<OwnStatement>,
): Route {
  return route({
    description,
    handler: async (_request, reply) => {
      if (federation === undefined) throw new DomainError('not_found', 'federation is not enabled');
      return sendStatement(reply, await make(federation.provider, federation.clock));
    },
  });
}

/** GET /federation/explain */
function explain({ masterToken, federation }: FederationServiceDeps): Route {
  return route({
    description: EXPLAIN,
    schema: { querystring: ExplanationParameters },
    onRequest: pageInBrowsers(masterToken),
    handler: async (request, reply) => {
      const { sub, profile = 'final' } = request.query;
      return sendExplanation(request, reply, await explainEntity(enabled(federation), { sub, profile }));
    },
  });
}

/** The form for browsers, relative to the explanation, so that a path prefix of a gateway is kept. */
const FORM = 'explain/page';

/** Redirects a browser, which has no bearer token, to the form that takes one. Every other client must send it. */
function pageInBrowsers(masterToken: MasterToken): Hook {
  return ({ headers, url }, reply, done) => {
    if (headers.authorization === undefined && prefersPage(headers)) {
      const [, query] = url.split('?', 2);
      reply.header('vary', 'Accept').redirect(query === undefined ? FORM : `${FORM}?${query}`, 303);
      return;
    }
    checkMasterToken(masterToken, headers.authorization);
    done();
  };
}

/** POST /federation/explain: the dry run of a registration. */
function dryRun({ masterToken, federation }: FederationServiceDeps): Route {
  return route({
    description: DRY_RUN,
    schema: { body: Type.String() },
    onRequest: requireMasterToken(masterToken),
    handler: async (request, reply) => {
      const body = statementBody(request, request.body);
      return sendExplanation(request, reply, await dryRunEntity(enabled(federation), body));
    },
  });
}

function statementBody({ headers }: Parameters<Hook>[0], body: string): StatementBody {
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';', 1);
  return { mediaType: mediaType.trim().toLowerCase(), body };
}

function sendStatement(reply: Reply, { contentType, text }: OwnStatement): Reply {
  // As bytes: Fastify would add a charset to a string, which not every media type has.
  return reply.header('content-type', contentType).send(Buffer.from(text));
}

function sendExplanation(
  { headers }: Pick<Request, 'headers'>,
  reply: Reply,
  explanation: EntityExplanation,
): Reply {
  reply.header('vary', 'Accept');
  if (!prefersPage(headers))
    return reply.header('content-type', JSON_CONTENT_TYPE).send(JSON.stringify(explanation));
  const page = explanationPage(explanation);
  return reply.headers(page.headers).send(page.body);
}

function prefersPage({ accept }: Request['headers']): boolean {
  return preferredMediaType(accept, [MEDIA_TYPE.json, MEDIA_TYPE.html]) === MEDIA_TYPE.html;
}
