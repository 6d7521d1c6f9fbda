import { type ErrorPresenter, type ErrorTable, throttledError } from '@vestibule/http/errors';
import { failurePage, faultPage } from './failure-page.js';
import { layout } from './layout.js';

/**
 * Failures before a session is known: malformed requests and faults, without the frame of a session. Failures of pages
 * and actions are shown where they occur.
 */
export const consoleErrors: ErrorTable = {
  invalid_request: shown(),
  invalid_token: shown(),
  access_denied: shown(),
  not_found: shown(),
  method_not_allowed: shown(),
  too_many_requests: throttledError(shown()),
  server_error: (_error, _languages, requestId) => layout({ path: '/' }, faultPage(requestId)),
};

function shown(): ErrorPresenter {
  return (error) => {
    const page = failurePage(error, { address: '/' });
    return layout({ path: '/' }, page ?? faultPage());
  };
}
