import type { ConfirmationDeps, DecisionDeps, EvaluationDeps, ReceiptDeps } from '@vestibule/logout';
import type { BrowserSessions } from './browser-sessions.js';
import type { PageSetting } from './pages/page-setting.js';
import type { RefusedRedirect } from './refused-redirect.js';

/** Dependencies of the logout endpoint: ports and settings. */
export interface LogoutServiceDeps extends EvaluationDeps, ConfirmationDeps, DecisionDeps, ReceiptDeps {
  /** Path of the endpoint below the base address. */
  readonly path: string;
  readonly browserSessions: BrowserSessions;
  /** Clients that may log an end-user out without confirmation, if the hint belongs to the session in the browser. */
  readonly skipsConsent: ReadonlySet<string>;
  /** The account name that an end-user knows; `undefined` to show none. */
  readonly accountName: (subject: string) => Promise<string | undefined>;
  /**
   * The address at which a browser whose session has ended logs out at another provider, before it goes to `redirect`.
   * Default: there is none.
   */
  readonly upstreamLogout?: (redirect: string | undefined) => string;
  readonly pages: PageSetting;
  /** Called for each refused `post_logout_redirect_uri`, for the log. */
  readonly onRedirectRefused?: (refusal: RefusedRedirect) => void;
}
