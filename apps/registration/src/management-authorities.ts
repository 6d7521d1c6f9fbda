import {
  authorizeManagement,
  type DeleteClientInput,
  type ManagedClient,
  type ManagementRequest,
} from '@vestibule/clients/management';
import type { Hook, Request } from '@vestibule/http';
import { requestMember } from '@vestibule/http/observability';
import { bearerToken } from './bearer-token.js';
import type { RegistrationServiceDeps } from './deps.js';
import { parseEntityTags } from './entity-tags.js';
import { isDryRun } from './known-parameters.js';

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

/** Reads the client identifier, credential and conditions of a request about one client. */
export function managementRequest(request: Pick<Request, 'headers' | 'params'>): DeleteClientInput {
  // The route pattern guarantees the identifier, and the router has decoded it.
  const { id } = request.params as { readonly id: string };
  const ifMatch = parseEntityTags(request.headers['if-match'])?.strong;
  const ifNoneMatch = parseEntityTags(request.headers['if-none-match'])?.weak;
  return { id, token: bearerToken(request), ifMatch, ifNoneMatch };
}
