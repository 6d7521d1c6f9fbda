import { DomainError } from '@vestibule/protocol';

/** The error for a bearer token that does not authorize the request. */
export function invalidToken(detail: string): DomainError {
  return new DomainError('invalid_token', 'The access token is invalid, expired or revoked.', { detail });
}
