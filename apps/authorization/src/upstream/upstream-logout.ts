import { defineRouteGroup, languagesOf, type Reply, type Request, type Route, route } from '@vestibule/http';
import { formBody } from '@vestibule/http/bodies';
import { pageHeaders, type RenderedPage } from '@vestibule/http/pages';
import { type LogoutReturn, type LogoutReturnDeps, readLogoutReturn } from '@vestibule/logout';
import type { Issuer } from '@vestibule/protocol';
import { UpstreamError, type UpstreamProvider } from '@vestibule/service/upstream';
import type { FastifyPluginAsync } from 'fastify';
import { expiredPage, localeOf, PAGE_ERRORS } from '../pages/page.js';
import type { UpstreamCookie } from './upstream-cookie.js';
import { onwardPage } from './upstream-page.js';
import { UPSTREAM_PATH } from './upstream-paths.js';
import type { UpstreamRecords } from './upstream-records.js';

/** Dependencies of {@link upstreamLogoutRoutes}. */
export interface UpstreamLogoutDeps extends LogoutReturnDeps {
  readonly issuer: Issuer;
  readonly provider: UpstreamProvider;
  readonly records: UpstreamRecords;
  readonly cookie: UpstreamCookie;
  /** Path of our logout page below the issuer. */
  readonly logoutPath: string;
  readonly onProblem: (error: UpstreamError) => void;
}

/**
 * The way of a browser that has logged out here, to the logout of the provider at which it logged in (RP-Initiated Logout
 * 1.0), and from there to the client that requested the logout.
 */
export function upstreamLogoutRoutes(deps: UpstreamLogoutDeps): FastifyPluginAsync {
  return defineRouteGroup({
    name: 'upstream_logout',
    body: formBody(),
    errors: PAGE_ERRORS,
    routes: (resource) => {
      resource(UPSTREAM_PATH.logout, { GET: logOutThere(deps) });
      resource(UPSTREAM_PATH.loggedOut, { GET: comeBack(deps) });
    },
  });
}

/** GET /upstream/logout */
function logOutThere(deps: UpstreamLogoutDeps): Route {
  return route({
    handler: async (request, reply) => {
      const state = stateOf(request);
      const back = readLogoutReturn(deps, state);
      if (back === undefined) return send(reply, expiredPage(localeOf(languagesOf(request))));
      const address = await endSessionAddress(deps, request, state);
      reply.header('set-cookie', deps.cookie.deletion);
      return send(reply, onwardPage(localeOf(languagesOf(request)), address ?? destination(deps, back)));
    },
  });
}

/** GET /upstream/logged-out, the post-logout redirect URI at the other provider. */
function comeBack(deps: UpstreamLogoutDeps): Route {
  return route({
    handler: async (request, reply) => {
      const locale = localeOf(languagesOf(request));
      const back = readLogoutReturn(deps, stateOf(request));
      return send(
        reply,
        back === undefined ? expiredPage(locale) : onwardPage(locale, destination(deps, back)),
      );
    },
  });
}

/**
 * The logout of the other provider for the login of this browser; `undefined` if there is none. If the provider cannot be
 * reached, the end-user stays logged in there.
 */
async function endSessionAddress(
  { issuer, provider, records, cookie, onProblem }: UpstreamLogoutDeps,
  request: Request,
  state: string,
): Promise<string | undefined> {
  const name = cookie.read(request);
  const session = name === undefined ? undefined : await records.sessions.find(name);
  if (name === undefined || session === undefined) return undefined;
  await records.sessions.end(name);
  try {
    const address = await provider.endSessionUrl({
      id_token_hint: session.idToken,
      post_logout_redirect_uri: issuer + UPSTREAM_PATH.loggedOut,
      state,
    });
    return address?.href;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    onProblem(error);
    return undefined;
  }
}

/** The address of the client, else our logout page, which says that no one is logged in. */
function destination({ issuer, logoutPath }: UpstreamLogoutDeps, { redirect }: LogoutReturn): string {
  return redirect ?? issuer + logoutPath;
}

function stateOf({ query }: Request): string {
  const { state } = { ...(query as object | undefined) } as { readonly state?: unknown };
  return typeof state === 'string' ? state : '';
}

function send(reply: Reply, { status, policy, content }: RenderedPage): Reply {
  return reply.code(status).headers(pageHeaders(policy)).send(content);
}
