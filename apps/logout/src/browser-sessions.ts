import type { Reply, Request } from '@vestibule/http';
import type { LogoutSession } from '@vestibule/logout';

/**
 * Finds the session of a browser. The service finds it by the cookie of the authorization server; implement this if
 * your authorization server keeps sessions in another way.
 */
export interface BrowserSessions {
  /** The live session of the browser that sent a request. */
  find(request: Request): Promise<LogoutSession | undefined>;
  /**
   * Deletes the session cookie that came with a request, after the session has ended. A request without a session
   * leaves the browser unchanged: it may come from another site, and browsers then omit the cookie.
   */
  forget(request: Request, reply: Reply): void;
}
