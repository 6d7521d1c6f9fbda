import type { ErrorPresenter, ErrorTable } from '@vestibule/service-kit';
import { type PageFailure, pageErrors, pageHeaders } from '@vestibule/service-kit/pages';
import { errorPage } from './pages/error-page.js';
import type { PageSetting } from './pages/page-setting.js';

/** How the failures of the logout endpoint look (logout/API.md#errors): pages like the others. */
export function logoutErrors(setting: PageSetting): ErrorTable {
  return pageErrors((status, failure) => pagePresenter(setting, status, failure));
}

/** How a fault of ours looks. */
export function logoutFault(setting: PageSetting): ErrorPresenter {
  return pagePresenter(setting, 500, 'fault');
}

function pagePresenter(setting: PageSetting, status: number, failure: PageFailure): ErrorPresenter {
  return (_error, languages = () => ({})) => {
    const { policy, content } = errorPage(setting, { status, failure, languages: languages() });
    return { status, headers: pageHeaders(policy), body: content };
  };
}
