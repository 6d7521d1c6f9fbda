import { authorizeManagement, type ManagedClient } from '@vestibule/clients';
import type { Hook, Request } from '@vestibule/service-kit';
import type { RegistrationServiceDeps } from './deps.js';
import { isDryRun } from './dry-run.js';
import { managementRequest } from './management-request.js';

/** The clients that requests may manage. */
export interface ManagementAuthorities {
  /** Decides before the body is read: whoever may not manage the client learns nothing else. */
  readonly decide: Hook;
  /** What was decided for a request. */
  readonly of: (request: object) => ManagedClient | undefined;
}

/** Keeps what was decided for as long as the request lives. */
export function managementAuthorities(deps: RegistrationServiceDeps): ManagementAuthorities {
  const decided = new WeakMap<object, ManagedClient>();
  return {
    decide: async (request: Request) => {
      const isRehearsal = isDryRun(request.query);
      decided.set(request, await authorizeManagement(deps, { ...managementRequest(request), isRehearsal }));
    },
    of: (request) => decided.get(request),
  };
}
