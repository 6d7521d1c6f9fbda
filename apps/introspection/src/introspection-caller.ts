import {
  authenticateClient,
  authorizeByBearer,
  type BearerAccessReader,
  type BearerAuthorizationDeps,
  type ClientAuthDeps,
  type CredentialRequest,
  grantIntrospection,
  type IntrospectionCaller,
} from '@vestibule/client-auth';
import { parseBearer } from '@vestibule/service-kit';
import { readLiveToken, type TokenStateDeps } from '@vestibule/tokens';

/** What telling who calls takes. */
export type CallerDeps = ClientAuthDeps & BearerAuthorizationDeps;

/**
 * Tells who calls, by client authentication or by an access token, and that it may (Seed 5.2).
 * @throws DomainError `invalid_request`, `invalid_client` or `access_denied`
 */
export async function identifyCaller(
  deps: CallerDeps,
  request: CredentialRequest,
): Promise<IntrospectionCaller> {
  const bearer = parseBearer(request.authorization);
  if (bearer.kind !== 'none') {
    const token = bearer.kind === 'bearer' ? bearer.token : undefined;
    return authorizeByBearer(deps, { ...request, token });
  }
  const { client } = await authenticateClient(deps, request);
  return grantIntrospection(client, deps.issuer);
}

/** Reads the access tokens that callers present with the same eyes as those that they ask about. */
export function bearerAccessReader(deps: TokenStateDeps): BearerAccessReader {
  return {
    read: async (text) => {
      const token = await readLiveToken(deps, text);
      if (token === undefined) return undefined;
      const { clientId, scope, audience, confirmation } = token;
      return { clientId, scope, audience, senderConstrained: confirmation !== undefined };
    },
  };
}
