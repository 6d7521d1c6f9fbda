import { authorizeManagement, type ManagedClient, type ManagementRequest } from '@vestibule/clients';
import { type Hook, type Request, requestMember } from '@vestibule/service-kit';
import type { RegistrationServiceDeps } from './deps.js';
import { isDryRun } from './dry-run.js';
import { managementRequest } from './management-request.js';

/** The clients that requests may manage. */
export interface ManagementAuthorities {
  /** Decides before the body is read: whoever may not manage the client, or changes it too often, learns no more. */
  readonly decide: Hook;
  /** What was decided for a request. */
  readonly of: (request: object) => ManagedClient | undefined;
}

/**
 * Keeps what was decided for as long as the request lives.
 * @param purpose what all the requests are for
 */
export function managementAuthorities(
  deps: RegistrationServiceDeps,
  purpose?: ManagementRequest['purpose'],
): ManagementAuthorities {
  const decided = requestMember<ManagedClient>('managed client');
  return {
    decide: async (request: Request) => {
      const managed = await authorizeManagement(deps, {
        ...managementRequest(request),
        isDryRun: isDryRun(request.query),
        purpose,
      });
      if (purpose === 'update') await deps.limits?.admitUpdate(managed);
      decided.set(request, managed);
    },
    of: decided.get,
  };
}
