import { InvalidClientError } from '@vestibule/client-auth';
import {
  type ErrorResponse,
  type ErrorTable,
  emptyError,
  jsonError,
  throttledError,
} from '@vestibule/http/errors';
import type { DomainError } from '@vestibule/protocol';
import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';

const badRequest = jsonError(400, 'invalid_request');
const unauthenticated = jsonError(401, 'invalid_client');
const forbidden = jsonError(403, 'access_denied');

/** The error responses of the introspection endpoint (introspection/API.md#errors). */
export const INTROSPECTION_ERRORS: ErrorTable = {
  invalid_request: badRequest,
  invalid_client: challenged,
  missing_token: challenged,
  invalid_token: challenged,
  access_denied: jsonError(403),
  insufficient_scope: insufficientScope,
  not_found: emptyError(404),
  method_not_allowed: emptyError(405),
  too_many_requests: throttledError(jsonError(429)),
};

/** The challenge names the scheme that the caller used, and Basic where it used none (RFC 6749 section 5.2). */
function challenged(error: DomainError): ErrorResponse {
  const scheme = error instanceof InvalidClientError ? error.scheme : 'Basic';
  return withChallenge(unauthenticated(error), CHALLENGES[scheme]);
}

/** The challenge names the scope that the bearer token lacks (RFC 6750 section 3.1). */
function insufficientScope(error: DomainError): ErrorResponse {
  const scope = error.scope === undefined ? '' : `, scope="${error.scope}"`;
  return withChallenge(forbidden(error), CHALLENGES.forbidden + scope);
}

function withChallenge(response: ErrorResponse, challenge: string): ErrorResponse {
  return { ...response, headers: { ...response.headers, 'www-authenticate': challenge } };
}

const CHALLENGES = {
  Basic: 'Basic realm="token introspection", charset="UTF-8"',
  Bearer: 'Bearer realm="token introspection", error="invalid_token"',
  DPoP: `DPoP realm="token introspection", error="invalid_token", algs="${ASYMMETRIC_ALGORITHMS.join(' ')}"`,
  forbidden: 'Bearer realm="token introspection", error="insufficient_scope"',
} as const;
