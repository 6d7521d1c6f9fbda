import type { Client } from '@vestibule/clients';
import { type ClientId, DomainError, type Issuer, introspectionEndpoint } from '@vestibule/protocol';
import { parseScope, permitsIntrospection } from '@vestibule/scopes';
import { whyNotActive } from './authenticate-client.js';
import type { BearerAccess, BearerAccessReader } from './bearer-access.js';
import type { ClientAuthDeps } from './client-auth-deps.js';
import { readClient } from './client-reading.js';
import {
  type CredentialRequest,
  refuseContradiction,
  refuseSeveralCredentials,
} from './credential-request.js';
import { callerOf, type IntrospectionCaller } from './introspection-caller.js';
import { InvalidClientError } from './invalid-client-error.js';

/** What authorising a caller by its access token takes. */
export interface BearerAuthorizationDeps extends Pick<ClientAuthDeps, 'clock' | 'clients' | 'clientReader'> {
  readonly issuer: Issuer;
  readonly bearerAccess: BearerAccessReader;
}

/** A request whose `Authorization` header uses the Bearer scheme. */
export interface BearerRequest extends CredentialRequest {
  /** The token of the header; `undefined` when what follows the scheme is no token (RFC 6750 section 2.1). */
  readonly token: string | undefined;
}

/**
 * Authorises the caller of the introspection endpoint by the access token in its `Authorization` header (Seed 5.2.2):
 * the token is live, meant for us, not bound to a key that nobody proved, its client exists and is active, and its
 * scope has the address of the endpoint.
 *
 * @throws DomainError `invalid_request` for more than one credential or a `client_id` that is not the token's;
 *   `insufficient_scope` when only the scope is missing; `invalid_client` for everything else.
 */
export async function authorizeByBearer(
  deps: BearerAuthorizationDeps,
  { token, ...request }: BearerRequest,
): Promise<IntrospectionCaller> {
  refuseSeveralCredentials(request);
  if (token === undefined) throw new InvalidClientError('the Bearer header cannot be read', 'Bearer');
  const access = await deps.bearerAccess.read(token);
  if (access === undefined)
    throw new InvalidClientError('the access token is not a live one of ours', 'Bearer');
  const { clientId } = access;
  const reason = whyNotForUs(access, deps.issuer);
  if (reason !== undefined) throw new InvalidClientError(reason, 'Bearer');
  const client = await activeClient(deps, clientId);
  refuseContradiction(request, clientId);
  const scope = parseScope(access.scope);
  if (scope === undefined || !permitsIntrospection(scope, introspectionEndpoint(deps.issuer)))
    throw new DomainError(
      'insufficient_scope',
      'The access token lacks the scope of the introspection endpoint',
    );
  return callerOf(client);
}

/** The client of a token. What is remembered of it may accept it; only what the store says refuses it. */
async function activeClient(deps: BearerAuthorizationDeps, id: ClientId): Promise<Client> {
  let { client, again } = await readClient(deps, id);
  while (again !== undefined) {
    if (client !== undefined && whyNotActive(deps.clock, client) === undefined) return client;
    ({ client, again } = await again());
  }
  if (client === undefined)
    throw new InvalidClientError('the client of the access token does not exist', 'Bearer');
  const reason = whyNotActive(deps.clock, client);
  if (reason !== undefined) throw new InvalidClientError(reason, 'Bearer');
  return client;
}

function whyNotForUs({ audience, senderConstrained }: BearerAccess, issuer: Issuer): string | undefined {
  // Another resource server that received the token could otherwise ask in the name of its client.
  if (audience.length > 0 && !audience.includes(issuer) && !audience.includes(introspectionEndpoint(issuer)))
    return 'the access token is for another audience';
  return senderConstrained ? 'the access token is bound to a key, and nothing proved it' : undefined;
}
