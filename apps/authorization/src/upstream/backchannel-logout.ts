import type { ReplayStore } from '@vestibule/client-auth/assertions';
import { sha256 } from '@vestibule/crypto';
import { defineRouteGroup, type Route, route } from '@vestibule/http';
import { formBody } from '@vestibule/http/bodies';
import { type Clock, DomainError, epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { ProviderRecords } from '@vestibule/tokens/provider';
import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import { AUTHORIZATION_ERRORS } from '../presentation.js';
import { LOGOUT_TOKEN_MAX_AGE_SECONDS, LOGOUT_TOKEN_SKEW_SECONDS } from './logout-token.js';
import { UpstreamError } from './upstream-error.js';
import { UPSTREAM_PATH } from './upstream-paths.js';
import type { UpstreamLogout, UpstreamProvider } from './upstream-provider.js';
import type { UpstreamRecords } from './upstream-records.js';
import { upstreamSubject } from './upstream-subject.js';

/** Dependencies of {@link backchannelLogoutRoutes}. */
export interface BackchannelLogoutDeps {
  readonly provider: UpstreamProvider;
  readonly records: UpstreamRecords;
  readonly sessions: Pick<ProviderRecords['sessions'], 'endOfSubject'>;
  readonly replays: ReplayStore;
  readonly clock: Clock;
  /** Called for each failure of the other provider, for the log. */
  readonly onProblem: (error: UpstreamError) => void;
}

const TOKEN_MAX_LENGTH = 12_288;

/**
 * POST /upstream/backchannel-logout (OpenID Connect Back-Channel Logout 1.0 section 2.5): all sessions of the end-user
 * end, with their tokens, and their clients are notified. When the response is sent, the tokens are inactive.
 */
export function backchannelLogoutRoutes(deps: BackchannelLogoutDeps): FastifyPluginAsync {
  return defineRouteGroup({
    name: 'upstream',
    body: formBody(),
    errors: AUTHORIZATION_ERRORS,
    routes: (resource) => resource(UPSTREAM_PATH.backchannelLogout, { POST: takeLogoutToken(deps) }),
  });
}

function takeLogoutToken(deps: BackchannelLogoutDeps): Route {
  return route({
    schema: { body: Type.Object({ logout_token: Type.String({ maxLength: TOKEN_MAX_LENGTH }) }) },
    handler: async (request, reply) => {
      const logout = await verified(deps, request.body.logout_token);
      const accountId = await accountOf(deps, logout);
      if (accountId !== undefined) await deps.sessions.endOfSubject(accountId, nowSeconds(deps.clock));
      return reply.code(200).send();
    },
  });
}

/** @throws DomainError `invalid_request` for a token that is not valid or was used before */
async function verified(deps: BackchannelLogoutDeps, text: string): Promise<UpstreamLogout> {
  const logout = await read(deps, text);
  if (logout === undefined) throw new DomainError('invalid_request', 'logout_token: is not valid');
  const use = sha256(JSON.stringify(['upstream_logout_token', logout.issuer, logout.jti]));
  const keptSeconds = LOGOUT_TOKEN_MAX_AGE_SECONDS + 2 * LOGOUT_TOKEN_SKEW_SECONDS;
  const outcome = await deps.replays.recordUse(use, epochSeconds(nowSeconds(deps.clock) + keptSeconds));
  if (outcome === 'replayed') throw new DomainError('invalid_request', 'logout_token: was used before');
  if (outcome === 'unavailable')
    throw new DomainError('server_error', 'It is unknown whether the token was used');
  return logout;
}

/** @throws DomainError `server_error` if the keys of the provider cannot be read, so that it tries again */
async function read({ provider, onProblem }: BackchannelLogoutDeps, text: string) {
  try {
    return await provider.readLogoutToken(text);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    onProblem(error);
    throw new DomainError('server_error', 'The keys of the provider cannot be read');
  }
}

/** A token without `sub` names a session, whose end-user is known if the login was here. */
async function accountOf(
  { records }: Pick<BackchannelLogoutDeps, 'records'>,
  { issuer, subject, sid }: UpstreamLogout,
): Promise<string | undefined> {
  if (subject !== undefined) return upstreamSubject(issuer, subject);
  return sid === undefined ? undefined : records.sessions.accountOf(issuer, sid);
}
