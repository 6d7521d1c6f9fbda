import { DomainError } from '@vestibule/protocol';

/** The refusal of every bearer token that does not authorise what it was sent for. */
export function invalidToken(detail: string): DomainError {
  return new DomainError('invalid_token', 'The access token is invalid, expired or revoked.', { detail });
}
