import {
  authorizeManagement,
  type ManagedClient,
  type ManagementRequest,
} from '@vestibule/clients/management';
import type { Hook, Request } from '@vestibule/http';
import { requestMember } from '@vestibule/http/observability';
import type { RegistrationServiceDeps } from './deps.js';
import { isDryRun } from './dry-run.js';
import { managementRequest } from './management-request.js';

/** Authorization of requests that manage a client. */
export interface ManagementAuthorities {
  /** Authorizes before the body is read, so that unauthorized and throttled requests reveal nothing else. */
  readonly decide: Hook;
  /** The client that was authorized for a request. */
  readonly of: (request: object) => ManagedClient | undefined;
}

/**
 * Authorizes requests and keeps the result for the lifetime of the request.
 * @param purpose the purpose of these requests
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
