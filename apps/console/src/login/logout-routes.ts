import { defineRouteGroup, type Reply, type Request, type Route, route } from '@vestibule/http';
import { formBody } from '@vestibule/http/bodies';
import { emptyError, jsonError } from '@vestibule/http/errors';
import {
  LOGOUT_TOKEN_MAX_LENGTH,
  UpstreamError,
  type UpstreamProvider,
  type VerifiedLogoutDeps,
  verifiedLogout,
} from '@vestibule/service/upstream';
import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import { consoleErrors } from '../frame/console-errors.js';
import { FORM_TOKEN } from '../frame/forms.js';
import type { Operator } from '../frame/operator.js';
import { requireOwnForm } from '../frame/own-form.js';
import { LOGIN_PATH } from './console-paths.js';
import type { ConsoleSession, ConsoleSessions } from './console-sessions.js';
import { leavePage, loggedOutPage, sendPage, stillLoggedInPage, withFailurePages } from './login-pages.js';
import type { SessionCookie } from './session-cookie.js';
import type { SessionEnds } from './session-ends.js';

/** Dependencies of {@link logoutRoutes}. */
export interface LogoutRoutesDeps extends VerifiedLogoutDeps {
  readonly provider: Pick<UpstreamProvider, 'readLogoutToken' | 'endSessionUrl'>;
  /** Client identifier of the console at the provider. */
  readonly clientId: string;
  /** Origin of the console, as browsers see it. */
  readonly origin: string;
  readonly sessions: ConsoleSessions;
  readonly cookie: Pick<SessionCookie, 'deletion'>;
  readonly ends: Pick<SessionEnds, 'endOwn' | 'endOfLogout'>;
  /** Records that a person has logged out. */
  readonly recordLogout: (operator: Operator) => Promise<void>;
}

/** The logout: POST /logout, GET /logged-out and POST /backchannel-logout. */
export function logoutRoutes(deps: LogoutRoutesDeps): FastifyPluginAsync {
  return async (app) => {
    await app.register(
      defineRouteGroup({
        name: 'console_logout',
        body: formBody(),
        errors: consoleErrors,
        routes: (resource) => {
          resource(LOGIN_PATH.logout, { POST: logOut(deps) });
          resource(LOGIN_PATH.loggedOut, { GET: showEnd() });
        },
      }),
    );
    await app.register(
      defineRouteGroup({
        name: 'console_backchannel',
        body: formBody(),
        errors: {
          invalid_request: jsonError(400),
          not_found: emptyError(404),
          method_not_allowed: emptyError(405),
        },
        routes: (resource) => resource(LOGIN_PATH.backchannelLogout, { POST: takeLogoutToken(deps) }),
      }),
    );
  };
}

/** Ends the session here, then leads to the logout of the provider (OpenID Connect RP-Initiated Logout 1.0). */
function logOut(deps: LogoutRoutesDeps): Route {
  return route({
    schema: { body: Type.Object({ [FORM_TOKEN]: Type.Optional(Type.String()) }) },
    handler: (request, reply) => {
      const form = { ...request.body };
      return withFailurePages(reply, { address: LOGIN_PATH.logout, form }, async () => {
        const { sessions, cookie, ends, recordLogout } = deps;
        const session = await sessions.find(request);
        if (session === undefined) return reply.code(303).header('location', LOGIN_PATH.loggedOut).send();
        requireOwnForm(deps, session, { request, form });
        await ends.endOwn(session.content);
        await recordLogout(session.operator);
        reply.header('set-cookie', cookie.deletion);
        return leave(reply, await endSessionUrl(deps, session));
      });
    },
  });
}

/**
 * Browsers apply the `form-action` of the page with the form to redirects that follow (CSP Level 3 section 6.3.1), so a
 * page leads on to the provider.
 */
function leave(reply: Reply, atProvider: URL | undefined): Reply {
  if (atProvider === undefined) return sendPage(reply, LOGIN_PATH.logout, stillLoggedInPage());
  reply.header('refresh', `0; url=${atProvider.href}`);
  return sendPage(reply, LOGIN_PATH.logout, leavePage(atProvider));
}

/** The address of the logout at the provider; `undefined` if it has none, or cannot be reached. */
async function endSessionUrl(
  { provider, clientId, origin, onProblem }: LogoutRoutesDeps,
  { content: { idToken } }: ConsoleSession,
): Promise<URL | undefined> {
  try {
    return await provider.endSessionUrl({
      client_id: clientId,
      ...(idToken !== undefined && { id_token_hint: idToken }),
      post_logout_redirect_uri: origin + LOGIN_PATH.loggedOut,
    });
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    onProblem(error);
    return undefined;
  }
}

/** The post-logout redirect URI. */
function showEnd(): Route {
  return route({
    handler: (_request: Request, reply: Reply) => sendPage(reply, LOGIN_PATH.loggedOut, loggedOutPage()),
  });
}

/** OpenID Connect Back-Channel Logout 1.0 section 2.5: when the response is sent, the sessions have ended everywhere. */
function takeLogoutToken(deps: LogoutRoutesDeps): Route {
  return route({
    schema: { body: Type.Object({ logout_token: Type.String({ maxLength: LOGOUT_TOKEN_MAX_LENGTH }) }) },
    handler: async (request, reply) => {
      await deps.ends.endOfLogout(await verifiedLogout(deps, request.body.logout_token));
      return reply.code(200).send();
    },
  });
}
