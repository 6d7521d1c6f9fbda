import {
  defineRouteGroup,
  JSON_CONTENT_TYPE,
  type Reply,
  type Request,
  type Route,
  route,
} from '@vestibule/http';
import { formBody } from '@vestibule/http/bodies';
import { chooseLocale, pageHeaders } from '@vestibule/http/pages';
import { type LogoutDecision, type LogoutRequest, parseLogoutRequest, readReceipt } from '@vestibule/logout';
import { DomainError } from '@vestibule/protocol';
import type { FastifyPluginAsync } from 'fastify';
import type { LogoutServiceDeps } from './deps.js';
import { LogoutForm, LogoutQuery } from './logout-parameters.js';
import { logoutErrors } from './presentation.js';
import {
  type LogoutResponse,
  repostFromOwnSite,
  respondWithConfirmation,
  takeDecision,
  type Visit,
} from './respond-to-logout.js';

/** Large enough for an encrypted ID token. */
const FORM_MAX_BYTES = 32_768;

/** The logout endpoint as a Fastify plugin, for a server made by `createServer`. */
export const logoutRoutes: FastifyPluginAsync<LogoutServiceDeps> = async (app, deps) => {
  await app.register(
    defineRouteGroup({
      name: 'logout',
      body: formBody({ maxBytes: FORM_MAX_BYTES }),
      errors: logoutErrors(deps.pages),
      routes: (resource) => resource(deps.path, { GET: respondToGet(deps), POST: respondToPost(deps) }),
    }),
  );
};

/** GET /logout: the confirmation page (logout/API.md#logout). */
function respondToGet(deps: LogoutServiceDeps): Route {
  return route({
    schema: { querystring: LogoutQuery },
    onRequest: varyByLanguage,
    handler: async (request, reply) => {
      const visit = visitOf(deps, request, parseLogoutRequest(request.query));
      return send(deps, { request, reply }, await respondWithConfirmation(deps, visit));
    },
  });
}

/**
 * POST /logout: a request of a client, the decision of the end-user, or a request of the page for notification states.
 */
function respondToPost(deps: LogoutServiceDeps): Route {
  return route({
    schema: { body: LogoutForm },
    onRequest: varyByLanguage,
    handler: async (request, reply) => {
      const { body } = request;
      if (body.receipt !== undefined) return sendStates(deps, reply, body.receipt);
      const visit = visitOf(deps, request, parseLogoutRequest(body));
      if (body.confirmation !== undefined) {
        const given = { confirmation: body.confirmation, decision: parseDecision(body.decision) };
        return send(deps, { request, reply }, await takeDecision(deps, visit, given));
      }
      // Browsers omit the cookie from forms of other sites, so only a form from our own site shows whether there is a
      // session.
      if (body.continued === undefined && (await deps.browserSessions.find(request)) === undefined)
        return send(deps, { request, reply }, await repostFromOwnSite(deps, visit));
      return send(deps, { request, reply }, await respondWithConfirmation(deps, visit));
    },
  });
}

function visitOf(deps: LogoutServiceDeps, request: Request, logoutRequest: LogoutRequest): Visit {
  const { 'accept-language': acceptLanguage } = request.headers;
  return {
    request: logoutRequest,
    locale: chooseLocale(deps.pages.languages, { uiLocales: logoutRequest.ui_locales, acceptLanguage }),
    message: request,
  };
}

/** The states of the notifications of a receipt, as a JSON array in its order. */
async function sendStates(deps: LogoutServiceDeps, reply: Reply, receipt: string): Promise<Reply> {
  const states = await readReceipt(deps, receipt);
  if (states === undefined) throw new DomainError('invalid_request', 'receipt: not issued here, or expired');
  return reply.header('content-type', JSON_CONTENT_TYPE).send(JSON.stringify(states));
}

function parseDecision(text: string | undefined): LogoutDecision {
  if (text === 'accept' || text === 'decline') return text;
  throw new DomainError('invalid_request', 'decision: must be accept or decline');
}

function varyByLanguage(_request: Request, reply: Reply, done: () => void): void {
  reply.header('vary', 'Accept-Language, Cookie');
  done();
}

function send(
  { browserSessions }: LogoutServiceDeps,
  { request, reply }: { readonly request: Request; readonly reply: Reply },
  response: LogoutResponse,
): Reply {
  if (response.isOver) browserSessions.forget(request, reply);
  if ('location' in response)
    return reply
      .code(303)
      .header('location', response.location)
      .header('referrer-policy', 'no-referrer')
      .send();
  const { page } = response;
  return reply.code(page.status).headers(pageHeaders(page.policy)).send(page.content);
}
