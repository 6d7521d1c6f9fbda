import { type Client, findActiveClient } from '@vestibule/clients';
import { DomainError, epochSeconds } from '@vestibule/protocol';
import { formatScope, type Scope } from '@vestibule/scopes';
import { type AccessTokenGrant, issueIdentifierToken, issueJwtToken, tokenType } from '@vestibule/tokens';
import type { DirectAuthorizationDeps } from './deps.js';
import type { DirectAuthorizationAnswer } from './direct-authorization-answer.js';
import type { DirectAuthorizationRequest } from './direct-authorization-request.js';
import { grantIdToken } from './grant-id-token.js';

/** What belongs to initial access tokens alone. */
const INITIAL_TOKEN_MEMBERS = ['uses', 'label', 'metadata'] as const;

/**
 * Issues an access token and, with `openid` in the scope, an ID token.
 * @throws DomainError `invalid_request` when the client is not registered, or the request cannot be granted.
 */
export async function grantAccess(
  deps: DirectAuthorizationDeps,
  request: DirectAuthorizationRequest,
  scope: Scope,
): Promise<DirectAuthorizationAnswer> {
  const misplaced = INITIAL_TOKEN_MEMBERS.find((member) => request[member] !== undefined);
  if (misplaced !== undefined)
    throw new DomainError('invalid_request', `Only an initial access token can carry ${misplaced}`);
  const client = await registeredClient(deps, request.client_id);
  const grant = accessTokenGrant(deps, { request, client, scope });
  // The ID token first: when it cannot be had, no access token has been issued for nothing.
  const idToken = scope.has('openid') ? await grantIdToken(deps, request, client) : undefined;
  const issue = request.format === 'jwt' ? issueJwtToken : issueIdentifierToken;
  const { accessToken } = await issue(deps, grant);
  deps.clientUses.record(client);
  return {
    access_token: accessToken,
    token_type: tokenType(grant.confirmation),
    expires_in: grant.lifetimeSeconds,
    scope: formatScope(scope),
    ...(idToken !== undefined && { id_token: idToken }),
  };
}

async function registeredClient(deps: DirectAuthorizationDeps, id: string | undefined): Promise<Client> {
  if (id === undefined) throw new DomainError('invalid_request', 'client_id is missing');
  const client = await findActiveClient(deps, id);
  if (client === undefined) throw new DomainError('invalid_request', 'client_id is not a registered client');
  return client;
}

interface AccessRequest {
  readonly request: DirectAuthorizationRequest;
  readonly client: Client;
  readonly scope: Scope;
}

function accessTokenGrant(
  { settings }: DirectAuthorizationDeps,
  { request, client, scope }: AccessRequest,
): AccessTokenGrant {
  const { sub, username, aud, nbf, cnf, act, dat, claims, sid } = request;
  return {
    clientId: client.id,
    scope,
    lifetimeSeconds: request.expires_in ?? settings.accessTokenLifetimeSeconds,
    ...(aud && { audience: aud }),
    ...(sub !== undefined && { subject: sub }),
    ...(username !== undefined && { username }),
    ...(nbf !== undefined && { notBefore: epochSeconds(nbf) }),
    ...(cnf && { confirmation: cnf }),
    ...(act && { actor: act }),
    ...(dat && { data: dat }),
    ...(claims && { claims }),
    ...(sid !== undefined && { sessionId: sid }),
  };
}
