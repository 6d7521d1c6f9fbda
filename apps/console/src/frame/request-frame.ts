import type { Request } from '@vestibule/http';
import type { ConsoleSession } from '../login/console-sessions.js';
import type { Frame } from './layout.js';

/** Returns what stands around the page that responds to a request with a session. */
export function frameOf({ operator, formToken }: ConsoleSession, request: Request, notice?: string): Frame {
  return { operator, formToken, notice, ...addressOf(request) };
}

/** Returns the same without a session. */
export function addressOf(request: Request): Pick<Frame, 'path'> {
  return { path: request.url.split('?')[0] ?? '/' };
}
