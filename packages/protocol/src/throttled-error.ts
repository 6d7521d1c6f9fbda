import { DomainError } from './domain-error.js';

/** The error for too many requests, with the time until a retry. */
export class ThrottledError extends DomainError {
  /** Whole seconds, at least 1: the value of `Retry-After` (RFC 9110 section 10.2.3). */
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number, detail: string, cause?: unknown) {
    super('too_many_requests', 'Too many requests, try again later', { detail, cause });
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds));
  }
}
