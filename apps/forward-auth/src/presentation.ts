import { type ErrorTable, emptyError, jsonError } from '@vestibule/http/errors';

/** Errors of requests that are not about a decision (forward-auth/API.md#errors). */
export const FORWARD_AUTH_ERRORS: ErrorTable = {
  invalid_request: jsonError(400),
  not_found: emptyError(404),
  method_not_allowed: emptyError(405),
};
