import type { Request } from '@vestibule/http';
import type { ConsoleSession } from '../login/console-sessions.js';
import type { ConsoleRoutesDeps } from './console-routes-deps.js';
import type { Frame } from './layout.js';
import { type RequiredRole, requireRole } from './required-role.js';
import type { Visit } from './visit.js';

/** Returns what stands around the page that responds to a request with a session. */
export function frameOf({ operator, formToken }: ConsoleSession, request: Request, notice?: string): Frame {
  return { operator, formToken, notice, ...addressOf(request) };
}

/** Returns the same without a session. */
export function addressOf(request: Request): Pick<Frame, 'path'> {
  return { path: request.url.split('?')[0] ?? '/' };
}

/** Describes a request with a session to the page or the action that it is for. */
export function visitOf(
  deps: Pick<ConsoleRoutesDeps, 'recordRefusal'>,
  session: ConsoleSession,
  { definition, request }: { readonly definition: RequiredRole; readonly request: Request },
): Visit {
  const { operator, formToken } = session;
  const params = request.params as Readonly<Record<string, string>>;
  return {
    operator,
    formToken,
    request,
    address: request.url,
    param: (name) => params[name] ?? '',
    requireRole: (role) => requireRole(deps, session, { ...definition, role }),
  };
}
