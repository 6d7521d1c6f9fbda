import { randomAlphanumeric } from '@vestibule/crypto';
import { defineRouteGroup, type Reply, type Request, type Route, route } from '@vestibule/http';
import { formBody } from '@vestibule/http/bodies';
import { type Clock, epochSeconds, nowSeconds, type RandomSource } from '@vestibule/protocol';
import { UpstreamError, type UpstreamLogin, type UpstreamProvider } from '@vestibule/service/upstream';
import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import { consoleErrors } from '../frame/console-errors.js';
import type { Operator } from '../frame/operator.js';
import { LOGIN_PATH, pageAfterLogin } from './console-paths.js';
import type { ConsoleSessions } from './console-sessions.js';
import type { LoginAttempt, LoginAttempts, LoginWish } from './login-attempts.js';
import {
  failedLoginPage,
  noRolePage,
  sendPage,
  unknownAttemptPage,
  withFailurePages,
} from './login-pages.js';
import { operatorOfLogin } from './operator-of-login.js';
import { type RoleClaim, roleOf } from './role-claim.js';
import type { SessionContent, SessionCookie } from './session-cookie.js';
import type { SessionEnds } from './session-ends.js';

/** How a login ended, for metrics. */
export const LOGIN_OUTCOMES = ['success', 'no_role', 'unknown_attempt', 'provider_failure'] as const;

/** How a login ended. */
export type LoginOutcome = (typeof LOGIN_OUTCOMES)[number];

/** Dependencies of {@link loginRoutes}. */
export interface LoginRoutesDeps {
  readonly provider: Pick<UpstreamProvider, 'authorizationUrl' | 'finish'>;
  readonly attempts: LoginAttempts;
  readonly sessions: ConsoleSessions;
  readonly cookie: SessionCookie;
  readonly ends: Pick<SessionEnds, 'isStored'>;
  readonly roles: RoleClaim;
  readonly sessionSeconds: number;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Makes sure that the provider knows the console as a client. */
  readonly readyClient: () => Promise<void>;
  /**
   * Counts a request from an address.
   * @throws ThrottledError if there are too many
   */
  readonly admitLogin: (address: string) => Promise<void>;
  /** Records that a person has logged in. */
  readonly recordLogin: (operator: Operator) => Promise<void>;
  /** Called when a login ends, for metrics. */
  readonly onLogin: (outcome: LoginOutcome) => void;
  /** Called for each failure of the provider, for the log. */
  readonly onProblem: (error: UpstreamError) => void;
}

const SECRET_LENGTH = 43;

/** The login: GET /login and GET /login/callback (OpenID Connect Core 1.0 section 3.1). */
export function loginRoutes(deps: LoginRoutesDeps): FastifyPluginAsync {
  return defineRouteGroup({
    name: 'console_login',
    body: formBody(),
    errors: consoleErrors,
    routes: (resource) => {
      resource(LOGIN_PATH.login, { GET: beginLogin(deps) });
      resource(LOGIN_PATH.callback, { GET: finishLogin(deps) });
    },
  });
}

/** Sends the browser to the provider, unless it has a session and no other is wanted. */
function beginLogin(deps: LoginRoutesDeps): Route {
  return route({
    schema: {
      querystring: Type.Object({ to: Type.Optional(Type.String()), fresh: Type.Optional(Type.String()) }),
    },
    handler: async (request, reply) => {
      await deps.admitLogin(request.ip);
      const wish = { to: pageAfterLogin(request.query.to), isFresh: request.query.fresh === 'yes' };
      return withFailurePages(reply, { address: request.url }, async () => {
        if (!wish.isFresh && (await hasSession(deps, request)))
          return reply.code(303).header('location', wish.to).send();
        return toProvider(deps, { request, reply }, wish);
      });
    },
  });
}

async function toProvider(
  deps: LoginRoutesDeps,
  { request, reply }: { readonly request: Request; readonly reply: Reply },
  wish: LoginWish,
): Promise<Reply> {
  try {
    await deps.readyClient();
    const { attempt, cookies } = await deps.attempts.begin(request, wish);
    const { href } = await deps.provider.authorizationUrl(attempt, {});
    return reply
      .code(303)
      .header('set-cookie', [...cookies])
      .header('location', href)
      .send();
  } catch (error) {
    return failed(deps, reply, { error, to: wish.to });
  }
}

/** A session that cannot be checked does not prevent a new one. */
async function hasSession({ sessions }: LoginRoutesDeps, request: Request): Promise<boolean> {
  try {
    return (await sessions.find(request)) !== undefined;
  } catch {
    return false;
  }
}

/** Verifies the response of the provider, and opens a session that no earlier cookie can name. */
function finishLogin(deps: LoginRoutesDeps): Route {
  return route({
    schema: { querystring: Type.Object({ state: Type.Optional(Type.String()) }) },
    handler: async (request, reply) => {
      await deps.admitLogin(request.ip);
      return withFailurePages(reply, { address: LOGIN_PATH.login }, () => takeResponse(deps, request, reply));
    },
  });
}

async function takeResponse(deps: LoginRoutesDeps, request: Request, reply: Reply): Promise<Reply> {
  const query = request.url.slice(request.url.indexOf('?') + 1);
  const attempt = await deps.attempts.find(request, new URLSearchParams(query).get('state'));
  if (attempt !== undefined) return openSession(deps, reply, { attempt, query });
  deps.onLogin('unknown_attempt');
  return sendPage(reply, LOGIN_PATH.callback, unknownAttemptPage());
}

async function openSession(
  deps: LoginRoutesDeps,
  reply: Reply,
  { attempt, query }: { readonly attempt: LoginAttempt; readonly query: string },
): Promise<Reply> {
  const { provider, attempts, roles, cookie, recordLogin, onLogin } = deps;
  // A response can be used once.
  const ended = attempts.ended(attempt.state);
  // Before the provider confirms the login, so that a logout in between counts as later.
  const loggedInAtMs = deps.clock.nowMs();
  try {
    const login = await provider.finish(query, attempt);
    const role = roleOf(roles, login);
    if (role === undefined) {
      onLogin('no_role');
      reply.header('set-cookie', ended);
      return sendPage(reply, LOGIN_PATH.callback, noRolePage(roles.claim));
    }
    const operator = operatorOfLogin(login, role);
    const session = await cookie.set(await contentOf(deps, login, { operator, loggedInAtMs }));
    await recordLogin(operator);
    onLogin('success');
    return reply
      .code(303)
      .header('set-cookie', [ended, session])
      .header('location', pageAfterLogin(attempt.to))
      .send();
  } catch (error) {
    reply.header('set-cookie', ended);
    return failed(deps, reply, { error, to: attempt.to });
  }
}

async function contentOf(
  { ends, clock, random, sessionSeconds }: LoginRoutesDeps,
  { issuer, sid, idToken }: UpstreamLogin,
  { operator, loggedInAtMs }: Pick<SessionContent, 'operator' | 'loggedInAtMs'>,
): Promise<SessionContent> {
  const secret = () => randomAlphanumeric(SECRET_LENGTH, random);
  return {
    id: secret(),
    operator,
    formToken: secret(),
    issuer,
    ...(sid !== undefined && { sid }),
    isStored: sid !== undefined && (await ends.isStored(sid)),
    loggedInAtMs,
    idToken,
    expiresAt: epochSeconds(nowSeconds(clock) + sessionSeconds),
  };
}

function failed(
  { onLogin, onProblem }: LoginRoutesDeps,
  reply: Reply,
  { error, to }: { readonly error: unknown; readonly to: string },
): Reply {
  if (!(error instanceof UpstreamError)) throw error;
  onLogin('provider_failure');
  onProblem(error);
  return sendPage(reply, LOGIN_PATH.login, failedLoginPage(error, to));
}
