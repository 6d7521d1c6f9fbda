import { bearerChallenge, type ErrorTable, emptyError, jsonError, throttledError } from '@vestibule/http';

/** Presentation of errors of the direct authorization endpoint and of the public documents. */
export const AUTHORIZATION_ERRORS: ErrorTable = {
  invalid_request: jsonError(400),
  missing_token: bearerChallenge(401),
  invalid_token: bearerChallenge(401, { error: 'invalid_token' }),
  not_found: emptyError(404),
  method_not_allowed: emptyError(405),
  too_many_requests: throttledError(emptyError(429)),
  server_error: emptyError(500),
  // Codes of other route groups; nothing here raises them.
  insufficient_scope: emptyError(500),
  invalid_client: emptyError(500),
  access_denied: emptyError(500),
  precondition_failed: emptyError(500),
  invalid_redirect_uri: emptyError(500),
  invalid_client_metadata: emptyError(500),
  invalid_software_statement: emptyError(500),
  unapproved_software_statement: emptyError(500),
  federation_not_enabled: emptyError(500),
  unauthorized_client: emptyError(500),
};
