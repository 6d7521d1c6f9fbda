import { authenticateClient } from './authenticate-client.js';
import { authorizationScheme } from './authorization-scheme.js';
import { authorizeByBearer, type BearerAuthorizationDeps } from './authorize-by-bearer.js';
import type { ClientAuthDeps } from './client-auth-deps.js';
import type { CredentialRequest } from './credential-request.js';
import { grantIntrospection, type IntrospectionCaller } from './introspection-caller.js';

/** What telling who calls the introspection endpoint takes. */
export type IntrospectionCallerDeps = ClientAuthDeps & BearerAuthorizationDeps;

/**
 * Tells who calls the introspection endpoint, by client authentication or by a bearer access token (Seed 5.2).
 * @throws DomainError `invalid_request`, `invalid_client` or `access_denied` as the two ways do.
 */
export async function identifyIntrospectionCaller(
  deps: IntrospectionCallerDeps,
  request: CredentialRequest,
): Promise<IntrospectionCaller> {
  const { authorization } = request;
  if (authorization !== undefined && authorizationScheme(authorization) === 'bearer')
    return authorizeByBearer(deps, request);
  const { client } = await authenticateClient(deps, request);
  return grantIntrospection(client, deps.issuer);
}
