import { REFUSAL_REASONS } from '@vestibule/client-auth';
import { type CountClientRefusal, clientRefusalCounter, refusedRegistrations } from '@vestibule/service';
import type { RegistrationServiceDeps } from './deps.js';

type MetricsRegistry = Parameters<typeof clientRefusalCounter>[0];

/** Counts credentials of clients that are not valid. */
export function refusedCredentialCounter(registry: MetricsRegistry): CountClientRefusal {
  return clientRefusalCounter(registry)('/clients/{client_id}/verify', REFUSAL_REASONS);
}

/** Counts refused registrations by the credential that was accepted. */
export function refusedRegistrationCounter(
  registry: MetricsRegistry,
): NonNullable<RegistrationServiceDeps['onRefusedRegistration']> {
  const count = refusedRegistrations(registry);
  // Operators at the command line have the granted scopes of the master token.
  return (kind, code) => count(kind === 'master' || kind === 'operator' ? 'master_token' : kind, code);
}
