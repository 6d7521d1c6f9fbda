import { defineRouteGroup, type Route, route } from '@vestibule/http';
import { formBody } from '@vestibule/http/bodies';
import { nowSeconds } from '@vestibule/protocol';
import {
  LOGOUT_TOKEN_MAX_LENGTH,
  type UpstreamLogout,
  type UpstreamProvider,
  type VerifiedLogoutDeps,
  verifiedLogout,
} from '@vestibule/service/upstream';
import type { ProviderRecords } from '@vestibule/tokens/provider';
import type { FastifyPluginAsync } from 'fastify';
import { Type } from 'typebox';
import { AUTHORIZATION_ERRORS } from '../presentation.js';
import { UPSTREAM_PATH } from './upstream-paths.js';
import type { UpstreamRecords } from './upstream-records.js';
import { upstreamSubject } from './upstream-subject.js';

/** Dependencies of {@link backchannelLogoutRoutes}. */
export interface BackchannelLogoutDeps extends VerifiedLogoutDeps {
  readonly provider: UpstreamProvider;
  readonly records: UpstreamRecords;
  readonly sessions: Pick<ProviderRecords['sessions'], 'endOfSubject'>;
}

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
    schema: { body: Type.Object({ logout_token: Type.String({ maxLength: LOGOUT_TOKEN_MAX_LENGTH }) }) },
    handler: async (request, reply) => {
      const logout = await verifiedLogout(deps, request.body.logout_token);
      const accountId = await accountOf(deps, logout);
      if (accountId !== undefined) await deps.sessions.endOfSubject(accountId, nowSeconds(deps.clock));
      return reply.code(200).send();
    },
  });
}

/** A token without `sub` names a session, whose end-user is known if the login was here. */
async function accountOf(
  { records }: Pick<BackchannelLogoutDeps, 'records'>,
  { issuer, subject, sid }: UpstreamLogout,
): Promise<string | undefined> {
  if (subject !== undefined) return upstreamSubject(issuer, subject);
  return sid === undefined ? undefined : records.sessions.accountOf(issuer, sid);
}
