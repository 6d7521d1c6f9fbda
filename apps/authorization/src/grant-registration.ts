import { DomainError } from '@vestibule/protocol';
import { formatScope, type Scope } from '@vestibule/scopes';
import { issueInitialAccessToken } from '@vestibule/tokens';
import type { DirectAuthorizationDeps } from './deps.js';
import type { DirectAuthorizationRequest } from './direct-authorization-request.js';
import type { DirectAuthorizationResponse } from './direct-authorization-response.js';
import { ID_TOKEN_MEMBERS } from './grant-id-token.js';

/** What an initial access token has no place for. */
const ACCESS_TOKEN_MEMBERS = [
  'client_id',
  'sub',
  'username',
  'nbf',
  'act',
  'dat',
  'claims',
  'sid',
  ...ID_TOKEN_MEMBERS,
] as const;

/**
 * Issues an initial access token (authorization/API.md#initial-access-tokens).
 * @throws DomainError `invalid_request` when the request holds what such a token cannot carry.
 */
export async function grantRegistration(
  deps: DirectAuthorizationDeps,
  request: DirectAuthorizationRequest,
  scope: Scope,
): Promise<DirectAuthorizationResponse> {
  const {
    expires_in: lifetime = deps.settings.initialAccessTokenLifetimeSeconds,
    aud,
    cnf,
    metadata,
  } = request;
  const misplaced = ACCESS_TOKEN_MEMBERS.find((member) => request[member] !== undefined);
  if (misplaced !== undefined)
    throw new DomainError('invalid_request', `An initial access token cannot carry ${misplaced}`);
  const { accessToken } = await issueInitialAccessToken(deps, {
    scope,
    lifetimeSeconds: lifetime,
    ...(request.format && { format: request.format }),
    ...(aud && { audience: aud }),
    ...(cnf && { confirmation: cnf }),
    ...(metadata && { metadataTemplate: metadata }),
    ...(request.uses !== undefined && { uses: request.uses }),
    ...(request.label !== undefined && { label: request.label }),
  });
  return { access_token: accessToken, token_type: 'Bearer', expires_in: lifetime, scope: formatScope(scope) };
}
