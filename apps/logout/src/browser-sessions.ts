import type { LogoutSession } from '@vestibule/logout';
import type { Reply, Request } from '@vestibule/service-kit';

/**
 * How a browser and its login find each other. The service brings the one of the authorisation server's cookie; a team
 * whose authorisation server keeps sessions in another way brings its own.
 */
export interface BrowserSessions {
  /** The live login in the browser that sent a request. */
  find(request: Request): Promise<LogoutSession | undefined>;
  /** Makes the browser forget a login that has ended. */
  forget(reply: Reply): void;
}
