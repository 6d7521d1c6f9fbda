import { REFUSAL_REASONS } from '@vestibule/client-auth';
import { type CountClientRefusal, clientRefusalCounter } from '@vestibule/service';

/** Counts credentials of clients that are not valid. */
export function refusedCredentialCounter(
  registry: Parameters<typeof clientRefusalCounter>[0],
): CountClientRefusal {
  return clientRefusalCounter(registry)('/clients/{client_id}/verify', REFUSAL_REASONS);
}
