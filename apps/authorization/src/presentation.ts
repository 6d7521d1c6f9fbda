import { bearerChallenge } from '@vestibule/http';
import { type ErrorTable, emptyError, jsonError, throttledError } from '@vestibule/http/errors';

/** Presentation of errors of the direct authorization endpoint and of the public documents. */
export const AUTHORIZATION_ERRORS: ErrorTable = {
  invalid_request: jsonError(400),
  missing_token: bearerChallenge(401),
  invalid_token: bearerChallenge(401, { error: 'invalid_token' }),
  not_found: emptyError(404),
  method_not_allowed: emptyError(405),
  too_many_requests: throttledError(emptyError(429)),
};
