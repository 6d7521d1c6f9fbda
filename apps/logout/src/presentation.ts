import { type ErrorPresenter, type ErrorTable, emptyError, throttledError } from '@vestibule/service-kit';
import { pageHeaders } from '@vestibule/service-kit/pages';
import { errorPage, type PageError } from './pages/error-page.js';
import type { PageSetting } from './pages/page-setting.js';

/** How the failures of the logout endpoint look (Seed 7.3): pages like the others. */
export function logoutErrors(setting: PageSetting): ErrorTable {
  const shown = (status: number, error: PageError) => pagePresenter(setting, status, error);
  return {
    invalid_request: shown(400, 'badRequest'),
    not_found: emptyError(404),
    method_not_allowed: shown(405, 'badMethod'),
    too_many_requests: throttledError(shown(429, 'badRequest')),
    server_error: shown(500, 'fault'),
    // Those of other families; nothing here raises them.
    missing_token: emptyError(500),
    invalid_token: emptyError(500),
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
}

/** How a fault of ours looks. */
export function logoutFault(setting: PageSetting): ErrorPresenter {
  return pagePresenter(setting, 500, 'fault');
}

function pagePresenter(setting: PageSetting, status: number, error: PageError): ErrorPresenter {
  return (_error, languages = () => ({})) => {
    const { policy, content } = errorPage(setting, { status, error, languages: languages() });
    return { status, headers: pageHeaders(policy), body: content };
  };
}
