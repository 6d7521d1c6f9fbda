import { DomainError } from '@vestibule/protocol';
import { EMPTY_SCOPE, isRegistrationScope, parseScope, type Scope } from '@vestibule/scopes';
import type { DirectAuthorizationDeps } from './deps.js';
import type { DirectAuthorizationRequest } from './direct-authorization-request.js';
import type { DirectAuthorizationResponse } from './direct-authorization-response.js';
import { grantAccess } from './grant-access.js';
import { grantRegistration } from './grant-registration.js';

/**
 * Issues a token as requested by the operator: an access token in either format, with an ID token if the scope contains
 * `openid`, or an initial access token if the scope consists of `client-reg` values.
 *
 * @throws DomainError `invalid_request` if the request contradicts itself or names a client that is not registered
 */
export async function directAuthorization(
  deps: DirectAuthorizationDeps,
  request: DirectAuthorizationRequest,
): Promise<DirectAuthorizationResponse> {
  const scope = parseScope(request.scope);
  if (scope === undefined)
    throw new DomainError('invalid_request', 'scope: must be space-separated scope values');
  if (!isRegistrationScope(scope)) return grantAccess(deps, request, scope);
  refuseMixture(scope);
  return grantRegistration(deps, request, scope);
}

/** A token has one purpose: the values that register clients give no other access. */
function refuseMixture(scope: Scope): void {
  const isPure = [...scope].every((value) => isRegistrationScope(parseScope(value) ?? EMPTY_SCOPE));
  if (!isPure)
    throw new DomainError(
      'invalid_request',
      'scope: client-reg values cannot be mixed with other scope values',
    );
}
