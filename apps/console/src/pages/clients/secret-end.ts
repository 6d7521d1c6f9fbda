import type { Client } from '@vestibule/clients';
import type { ClientsDeps } from './clients-deps.js';

/** Whether a client has a secret, or an imported hash of one. */
export function holdsSecret({ secret, secretHash }: Client): boolean {
  return secret !== undefined || secretHash !== undefined;
}

/**
 * Says when the current secret of a client ends that is replaced. With an overlap this cannot be undone either: the
 * previous secret ends all the same.
 */
export function whenSecretEnds({ registration }: ClientsDeps, { secret }: Client): string {
  const overlapSeconds = secret === undefined ? 0 : registration.settings.clientSecretOverlapSeconds;
  return overlapSeconds === 0
    ? 'The current one stops working at once'
    : `The current one still works for ${overlapSeconds.toLocaleString('en')} seconds at most`;
}
