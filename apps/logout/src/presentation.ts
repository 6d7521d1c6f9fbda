import type { ErrorPresenter, ErrorTable } from '@vestibule/http/errors';
import { type PageFailure, pageErrors, pageHeaders } from '@vestibule/http/pages';
import { errorPage } from './pages/error-page.js';
import type { PageSetting } from './pages/page-setting.js';

/** Presentation of errors of the logout endpoint (logout/API.md#errors), as pages. */
export function logoutErrors(setting: PageSetting): ErrorTable {
  return pageErrors((status, failure) => pagePresenter(setting, status, failure));
}

function pagePresenter(setting: PageSetting, status: number, failure: PageFailure): ErrorPresenter {
  return (_error, languages = () => ({})) => {
    const { policy, content } = errorPage(setting, { status, failure, languages: languages() });
    return { status, headers: pageHeaders(policy), body: content };
  };
}
