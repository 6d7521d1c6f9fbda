import { authorizeRegistration, type RegistrationAuthority } from '@vestibule/clients/registration';
import { type Hook, networkOf, type Request } from '@vestibule/http';
import { requestMember } from '@vestibule/http/observability';
import { DomainError } from '@vestibule/protocol';
import { NO_SCOPES } from '@vestibule/scopes';
import { optionalBearerToken } from './bearer-token.js';
import type { RegistrationServiceDeps } from './deps.js';
import { parseIdempotencyKey } from './idempotency-key.js';

/** Authorization of requests to register. */
export interface RegistrationAuthorities {
  /** Authorizes before the body is read, so that unauthorized requests reveal nothing else. */
  readonly decide: Hook;
  /** The authority of a request; one that permits nothing if none was determined. */
  readonly of: (request: object) => RegistrationAuthority;
}

const NO_AUTHORITY: RegistrationAuthority = {
  kind: 'initial_access_token',
  grantedScopes: NO_SCOPES,
  consumes: [],
};

/** Authorizes requests and keeps the result for the lifetime of the request. */
export function registrationAuthorities(deps: RegistrationServiceDeps): RegistrationAuthorities {
  const decided = requestMember<RegistrationAuthority>('authority');
  return {
    decide: async (request: Request) => {
      const network = networkOf(request.ip);
      const authority = await authorize(deps, request, network);
      await deps.limits
        ?.admitCaller(authority, network)
        .catch((error: unknown) => throwReported(deps, authority, error));
      decided.set(request, authority);
    },
    of: (request) => decided.get(request) ?? NO_AUTHORITY,
  };
}

/** Reports an error that refuses a registration, and throws it. */
export function throwReported(
  { onRefusedRegistration }: Pick<RegistrationServiceDeps, 'onRefusedRegistration'>,
  { kind }: RegistrationAuthority,
  error: unknown,
): never {
  if (error instanceof DomainError) onRefusedRegistration?.(kind, error.code);
  throw error;
}

async function authorize(
  deps: RegistrationServiceDeps,
  { headers, raw }: Pick<Request, 'headers' | 'raw'>,
  network: string,
): Promise<RegistrationAuthority> {
  const token = optionalBearerToken({ headers });
  const certificateThumbprint = provedThumbprint(deps, raw);
  const header = headers['idempotency-key'];
  const isMeant = deps.settings.idempotencyRetentionSeconds > 0;
  const credential = { token, certificateThumbprint, network };
  if (header === undefined || !isMeant) return authorizeRegistration(deps, credential);
  const idempotencyKey = parseIdempotencyKey(header);
  const authority = await authorizeRegistration(deps, { ...credential, idempotencyKey });
  if (idempotencyKey !== undefined) return authority;
  throw new DomainError(
    'invalid_request',
    'Idempotency-Key: must be a string of 1 to 255 visible ASCII characters',
  );
}

/**
 * The thumbprint of a valid client certificate that the connection or a trusted proxy proves; `undefined` otherwise.
 */
function provedThumbprint(
  { clientCertificate, clock }: RegistrationServiceDeps,
  raw: Request['raw'],
): string | undefined {
  const reading = clientCertificate?.(raw);
  if (reading?.kind !== 'presented') return undefined;
  const { thumbprint, validFromMs, validToMs } = reading.certificate;
  const now = clock.nowMs();
  return validFromMs <= now && now <= validToMs ? thumbprint : undefined;
}
