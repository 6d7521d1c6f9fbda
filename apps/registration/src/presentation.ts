import { bearerChallenge } from '@vestibule/http';
import { type ErrorTable, emptyError, jsonError, throttledError } from '@vestibule/http/errors';

const badRequest = jsonError(400);

/** Maps the errors of the registration API to responses (registration/API.md#errors, RFC 7591 section 3.2.2). */
export const REGISTRATION_ERRORS: ErrorTable = {
  invalid_request: badRequest,
  invalid_redirect_uri: badRequest,
  invalid_client_metadata: badRequest,
  invalid_software_statement: badRequest,
  unapproved_software_statement: badRequest,
  missing_token: bearerChallenge(401),
  invalid_token: bearerChallenge(401, { error: 'invalid_token' }),
  insufficient_scope: bearerChallenge(403, { error: 'insufficient_scope' }),
  not_found: emptyError(404),
  method_not_allowed: emptyError(405),
  precondition_failed: emptyError(412),
  too_many_requests: throttledError(emptyError(429)),
};
