import { type Client, findActiveClient } from '@vestibule/clients';
import { DomainError, epochSeconds, nowSeconds } from '@vestibule/protocol';
import { formatScope, type Scope } from '@vestibule/scopes';
import { tokenType } from '@vestibule/tokens/introspection';
import { type AccessTokenGrant, issueIdentifierToken, issueJwtToken } from '@vestibule/tokens/issuing';
import type { DirectAuthorizationDeps } from './deps.js';
import type { DirectAuthorizationRequest } from './direct-authorization-request.js';
import type { DirectAuthorizationResponse } from './direct-authorization-response.js';
import { findResource } from './find-resource.js';
import { grantIdToken, ID_TOKEN_MEMBERS } from './grant-id-token.js';

/** Members for initial access tokens only. */
const INITIAL_TOKEN_MEMBERS = ['uses', 'label', 'metadata'] as const;

/**
 * Issues an access token and, with `openid` in the scope, an ID token.
 * @throws DomainError `invalid_request` if the client is not registered, or the request cannot be granted
 */
export async function grantAccess(
  deps: DirectAuthorizationDeps,
  request: DirectAuthorizationRequest,
  scope: Scope,
): Promise<DirectAuthorizationResponse> {
  const isIdTokenWanted = scope.has('openid');
  refuseMisplaced(request, isIdTokenWanted);
  const client = await registeredClient(deps, request.client_id);
  const audience = await audienceOf(deps, request);
  // The ID token first: if it cannot be issued, no access token has been issued either.
  const granted = isIdTokenWanted ? await grantIdToken(deps, request, client) : undefined;
  const sessionId = granted === undefined ? await namedSession(deps, request, client) : granted.sid;
  const grant = accessTokenGrant(deps, { request, client, scope, sessionId, audience });
  const issue = request.format === 'jwt' ? issueJwtToken : issueIdentifierToken;
  const { accessToken } = await issue(deps, grant);
  deps.clientUses.record(client);
  return {
    access_token: accessToken,
    token_type: tokenType(grant.confirmation),
    expires_in: grant.lifetimeSeconds,
    scope: formatScope(scope),
    ...(granted && { id_token: granted.idToken }),
  };
}

function refuseMisplaced(request: DirectAuthorizationRequest, isIdTokenWanted: boolean): void {
  const ofInitialToken = INITIAL_TOKEN_MEMBERS.find((member) => request[member] !== undefined);
  if (ofInitialToken !== undefined)
    throw new DomainError('invalid_request', `${ofInitialToken}: only allowed for an initial access token`);
  const ofIdToken = ID_TOKEN_MEMBERS.find((member) => request[member] !== undefined);
  if (ofIdToken !== undefined && !isIdTokenWanted)
    throw new DomainError(
      'invalid_request',
      `${ofIdToken}: only allowed for an ID token; scope must contain openid`,
    );
}

/**
 * The `sid` of an access token without an ID token: for a session here, the `sid` of the client; otherwise the value in
 * the request.
 * @throws DomainError `invalid_request` for a session of another end-user
 */
async function namedSession(
  { sessions, clock }: DirectAuthorizationDeps,
  { sid, sub }: DirectAuthorizationRequest,
  client: Client,
): Promise<string | undefined> {
  if (sid === undefined) return undefined;
  const session = await sessions.identify(sid, client.id, nowSeconds(clock));
  if (session !== undefined && sub !== undefined && session.subject !== sub)
    throw new DomainError('invalid_request', 'sid: is a session of another end-user than sub');
  return session?.sid ?? sid;
}

async function registeredClient(deps: DirectAuthorizationDeps, id: string | undefined): Promise<Client> {
  if (id === undefined) throw new DomainError('invalid_request', 'client_id: is required');
  const client = await findActiveClient(deps, id);
  if (client === undefined) throw new DomainError('invalid_request', 'client_id: is not a registered client');
  return client;
}

/**
 * The audience: as given, or of the resource servers that `resource` names.
 * @throws DomainError `invalid_request` for a resource that is not registered
 */
async function audienceOf(
  deps: DirectAuthorizationDeps,
  { aud, resource: names }: DirectAuthorizationRequest,
): Promise<readonly string[] | undefined> {
  if (names === undefined) return aud;
  if (aud !== undefined) throw new DomainError('invalid_request', 'aud: not allowed together with resource');
  const audience: string[] = [];
  for (const [index, name] of names.entries()) {
    const resource = await findResource(deps, name);
    if (resource === undefined)
      throw new DomainError('invalid_request', `resource[${index}]: is not a registered resource server`);
    audience.push(resource.audience);
  }
  return audience;
}

interface AccessRequest {
  readonly request: DirectAuthorizationRequest;
  readonly client: Client;
  readonly scope: Scope;
  readonly sessionId: string | undefined;
  readonly audience: readonly string[] | undefined;
}

function accessTokenGrant(
  { settings }: DirectAuthorizationDeps,
  { request, client, scope, sessionId, audience }: AccessRequest,
): AccessTokenGrant {
  const { sub, username, nbf, cnf, act, dat, claims } = request;
  return {
    clientId: client.id,
    scope,
    lifetimeSeconds: request.expires_in ?? settings.accessTokenLifetimeSeconds,
    ...(audience && { audience }),
    ...(sub !== undefined && { subject: sub }),
    ...(username !== undefined && { username }),
    ...(nbf !== undefined && { notBefore: epochSeconds(nbf) }),
    ...(cnf && { confirmation: cnf }),
    ...(act && { actor: act }),
    ...(dat && { data: dat }),
    ...(claims && { claims }),
    ...(sessionId !== undefined && { sessionId }),
  };
}
