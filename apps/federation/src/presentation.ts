import { bearerChallenge } from '@vestibule/http';
import { type ErrorTable, emptyError, jsonError, throttledError } from '@vestibule/http/errors';

const badRequest = jsonError(400);

/** Presentation of errors of the federation endpoints (federation/API.md#errors). */
export const FEDERATION_ERRORS: ErrorTable = {
  invalid_request: badRequest,
  invalid_redirect_uri: badRequest,
  invalid_client_metadata: badRequest,
  invalid_software_statement: badRequest,
  unapproved_software_statement: badRequest,
  federation_not_enabled: badRequest,
  unauthorized_client: jsonError(401),
  missing_token: bearerChallenge(401),
  invalid_token: bearerChallenge(401, { error: 'invalid_token' }),
  not_found: emptyError(404),
  method_not_allowed: emptyError(405),
  too_many_requests: throttledError(jsonError(429)),
};
