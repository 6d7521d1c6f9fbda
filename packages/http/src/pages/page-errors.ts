import { type ErrorPresenter, type ErrorTable, emptyError, throttledError } from '../errors/error-table.js';

/** Failures that pages show to end-users. */
export type PageFailure = 'badRequest' | 'badMethod' | 'fault';

/** Creates the presenter of a failure for a set of pages. */
export type FailurePresenter = (status: number, failure: PageFailure) => ErrorPresenter;

/** Error table that presents failures as pages. */
export function pageErrors(shown: FailurePresenter): ErrorTable {
  const unraised = emptyError(500);
  return {
    invalid_request: shown(400, 'badRequest'),
    not_found: emptyError(404),
    method_not_allowed: shown(405, 'badMethod'),
    too_many_requests: throttledError(shown(429, 'badRequest')),
    server_error: shown(500, 'fault'),
    // Codes of other route groups.
    missing_token: unraised,
    invalid_token: unraised,
    insufficient_scope: unraised,
    invalid_client: unraised,
    access_denied: unraised,
    precondition_failed: unraised,
    invalid_redirect_uri: unraised,
    invalid_client_metadata: unraised,
    invalid_software_statement: unraised,
    unapproved_software_statement: unraised,
    federation_not_enabled: unraised,
    unauthorized_client: unraised,
  };
}
