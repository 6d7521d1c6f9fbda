import { DomainError } from '@vestibule/protocol';
import { FederationFailure } from '../federation-failure.js';

/**
 * Reads a request; what can be seen to be wrong without a key is the caller's fault.
 * @throws DomainError `invalid_request` in place of every `FederationFailure`; its sentence names members alone.
 */
export function orMalformed<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof FederationFailure)) throw cause;
    const description = `The request is not acceptable: ${cause.message}.`;
    throw new DomainError('invalid_request', description, {
      detail: `${cause.reason}: ${cause.message}`,
      cause,
    });
  }
}

/** The one answer to everything that cannot be trusted: it must not tell what a server elsewhere answered. */
export function untrusted(detail: string, cause?: unknown): DomainError {
  return new DomainError('unauthorized_client', 'The entity cannot be trusted.', { detail, cause });
}
