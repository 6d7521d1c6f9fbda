import type { LogoutSession } from '@vestibule/logout';
import type { Reply, Request } from '@vestibule/service-kit';

/**
 * How a browser and its login find each other. The service brings the one of the authorisation server's cookie; a team
 * whose authorisation server keeps sessions in another way brings its own.
 */
export interface BrowserSessions {
  /** The live login in the browser that sent a request. */
  find(request: Request): Promise<LogoutSession | undefined>;
  /**
   * Makes the browser forget the login that a request came with, which is over. A request that came without one leaves
   * the browser as it is: another site may have sent it, and browsers then leave the cookie out.
   */
  forget(request: Request, reply: Reply): void;
}
