import { DomainError } from '@vestibule/protocol';

/**
 * The one answer to every failed or missing proof of identity.
 * @param detail what failed, for operators alone
 */
export function invalidClient(detail: string): DomainError {
  return new DomainError('invalid_client', 'Client authentication failed or is missing', { detail });
}
