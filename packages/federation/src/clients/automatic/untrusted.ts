import { DomainError } from '@vestibule/protocol';

/** The one response to everything that cannot be trusted; the reason is for operators. */
export function untrusted(detail: string, cause?: unknown): DomainError {
  return new DomainError('unauthorized_client', 'The entity cannot be trusted.', { detail, cause });
}
