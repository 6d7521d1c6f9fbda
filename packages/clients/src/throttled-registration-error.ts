import { DomainError } from '@vestibule/protocol';

/** Nobody can register for a while, or the caller cannot; with the time after which it may try again. */
export class ThrottledRegistrationError extends DomainError {
  /** Whole seconds, at least 1: the value of `Retry-After` (RFC 9110 section 10.2.3). */
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number, detail: string) {
    super('too_many_requests', 'Too many registrations, try again later.', { detail });
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds));
  }
}
