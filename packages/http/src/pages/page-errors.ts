import { type ErrorPresenter, type ErrorTable, emptyError, throttledError } from '../errors/error-table.js';

/** Failures that pages show to end-users. */
export type PageFailure = 'badRequest' | 'badMethod' | 'fault';

/** Creates the presenter of a failure for a set of pages. */
export type FailurePresenter = (status: number, failure: PageFailure) => ErrorPresenter;

/** Error table that presents failures as pages. */
export function pageErrors(shown: FailurePresenter): ErrorTable {
  return {
    invalid_request: shown(400, 'badRequest'),
    not_found: emptyError(404),
    method_not_allowed: shown(405, 'badMethod'),
    too_many_requests: throttledError(shown(429, 'badRequest')),
    server_error: shown(500, 'fault'),
  };
}
