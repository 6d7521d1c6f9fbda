import { authorizeRegistration, type RegistrationAuthority } from '@vestibule/clients';
import { NO_RIGHTS } from '@vestibule/scopes';
import type { Hook, Request } from '@vestibule/service-kit';
import { bearerToken } from './bearer-token.js';
import type { RegistrationServiceDeps } from './deps.js';

/** What the credentials of requests to register entitle to. */
export interface RegistrationAuthorities {
  /** Decides before the body is read: whoever has no right to register learns nothing else. */
  readonly decide: Hook;
  /** What was decided for a request; nothing is permitted when nothing was. */
  readonly of: (request: object) => RegistrationAuthority;
}

const NO_AUTHORITY: RegistrationAuthority = { kind: 'initial_access_token', rights: NO_RIGHTS };

/** Keeps what was decided for as long as the request lives. */
export function registrationAuthorities(deps: RegistrationServiceDeps): RegistrationAuthorities {
  const decided = new WeakMap<object, RegistrationAuthority>();
  return {
    decide: async (request: Request) => {
      decided.set(request, await authorizeRegistration(deps, { token: bearerToken(request) }));
    },
    of: (request) => decided.get(request) ?? NO_AUTHORITY,
  };
}
