import { DomainError } from '@vestibule/protocol';

/** The error for a client that an operator has blocked. It does not say by which name. */
export function blockedClientRefusal(): DomainError {
  return new DomainError('invalid_client_metadata', 'The operator of this server has blocked this client.', {
    detail: 'a block covers the client',
  });
}
