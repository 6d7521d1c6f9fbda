import { bearerChallenge } from '../errors/bearer.js';
import { type ErrorTable, emptyError, jsonError, throttledError } from '../errors/error-table.js';

/** An error table like that of the client registration endpoint (registration/API.md#errors). */
export const sampleErrors: ErrorTable = {
  invalid_request: jsonError(400),
  invalid_redirect_uri: jsonError(400),
  invalid_client_metadata: jsonError(400),
  invalid_software_statement: jsonError(400),
  unapproved_software_statement: jsonError(400),
  missing_token: bearerChallenge(401),
  invalid_token: bearerChallenge(401),
  insufficient_scope: bearerChallenge(403, { error: 'insufficient_scope' }),
  invalid_client: jsonError(401),
  access_denied: jsonError(403),
  not_found: emptyError(404),
  method_not_allowed: emptyError(405),
  precondition_failed: jsonError(412, 'invalid_request'),
  federation_not_enabled: jsonError(400),
  unauthorized_client: jsonError(401),
  too_many_requests: throttledError(emptyError(429)),
};
