import { DomainError } from '@vestibule/protocol';
import { formatScope, type Scope } from '@vestibule/scopes';
import { issueInitialAccessToken } from '@vestibule/tokens/issuing';
import type { DirectAuthorizationDeps } from './deps.js';
import type { DirectAuthorizationRequest } from './direct-authorization-request.js';
import type { DirectAuthorizationResponse } from './direct-authorization-response.js';
import { ID_TOKEN_MEMBERS } from './grant-id-token.js';

/** Members that are not allowed for an initial access token. */
const ACCESS_TOKEN_MEMBERS = [
  'client_id',
  'sub',
  'username',
  'resource',
  'nbf',
  'act',
  'dat',
  'claims',
  'sid',
  ...ID_TOKEN_MEMBERS,
] as const;

/**
 * Issues an initial access token (authorization/API.md#initial-access-tokens).
 * @throws DomainError `invalid_request` if the request has a member that is not allowed for such a token
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
    throw new DomainError('invalid_request', `${misplaced}: not allowed for an initial access token`);
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
