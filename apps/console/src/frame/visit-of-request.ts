import type { Request } from '@vestibule/http';
import type { ConsoleSession } from '../login/console-sessions.js';
import type { ConsoleRoutesDeps } from './console-routes-deps.js';
import { type RequiredRole, requireRole } from './required-role.js';
import type { Visit } from './visit.js';

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
