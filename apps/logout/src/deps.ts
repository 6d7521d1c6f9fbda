import type { ConfirmationDeps, DecisionDeps, JudgeDeps } from '@vestibule/logout';
import type { BrowserSessions } from './browser-sessions.js';
import type { PageSetting } from './pages/page-setting.js';

/** What the logout endpoint works with: ports and settings, nothing else. */
export interface LogoutServiceDeps extends JudgeDeps, ConfirmationDeps, DecisionDeps {
  /** Where the endpoint is, below the address of the server. */
  readonly path: string;
  readonly browserSessions: BrowserSessions;
  readonly pages: PageSetting;
}
