import { DomainError } from '@vestibule/protocol';
import { type ClientRefusal, undisclosedRefusal } from './client-refusal.js';

/** The way to prove one's identity that a challenge names. */
export type ChallengeScheme = 'Basic' | 'Bearer' | 'DPoP';

/** A failed or missing proof of identity; one public sentence, unless the refusal has a description. */
export class InvalidClientError extends DomainError {
  /** What the request tried, by `Authorization` header; `Basic` when it tried nothing there (RFC 6749 section 5.2). */
  readonly scheme: ChallengeScheme;
  readonly refusal: ClientRefusal;

  /** @param refused what failed; a text is for operators alone */
  constructor(refused: ClientRefusal | string, scheme: ChallengeScheme = 'Basic') {
    const refusal = typeof refused === 'string' ? undisclosedRefusal(refused) : refused;
    super('invalid_client', refusal.description ?? UNEXPLAINED, { detail: refusal.detail });
    this.scheme = scheme;
    this.refusal = refusal;
  }
}

const UNEXPLAINED = 'Client authentication failed or is missing';
