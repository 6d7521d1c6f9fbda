import type { ConfirmationDeps, DecisionDeps, JudgeDeps, ReceiptDeps } from '@vestibule/logout';
import type { BrowserSessions } from './browser-sessions.js';
import type { PageSetting } from './pages/page-setting.js';
import type { RefusedRedirect } from './refused-redirect.js';

/** What the logout endpoint works with: ports and settings, nothing else. */
export interface LogoutServiceDeps extends JudgeDeps, ConfirmationDeps, DecisionDeps, ReceiptDeps {
  /** Where the endpoint is, below the address of the server. */
  readonly path: string;
  readonly browserSessions: BrowserSessions;
  /** Clients whose requests need no answer of the end-user, where the hint belongs to this login. */
  readonly skipsConsent: ReadonlySet<string>;
  /** What an end-user calls their account; `undefined` where it is not to be shown. */
  readonly accountName: (subject: string) => Promise<string | undefined>;
  readonly pages: PageSetting;
  /** Told of addresses that the browser is not sent to; for the log. Default not at all. */
  readonly onRedirectRefused?: (refusal: RefusedRedirect) => void;
}
