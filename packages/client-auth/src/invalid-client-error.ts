import { DomainError } from '@vestibule/protocol';
import { type ClientRefusal, undisclosedRefusal } from './client-refusal.js';

/** Authentication scheme of a challenge. */
export type ChallengeScheme = 'Basic' | 'Bearer' | 'DPoP';

/** Failed or missing authentication. The public description is always the same, unless the refusal has one. */
export class InvalidClientError extends DomainError {
  /** The scheme of the request's `Authorization` header; `Basic` without one (RFC 6749 section 5.2). */
  readonly scheme: ChallengeScheme;
  readonly refusal: ClientRefusal;

  /** @param refused the refusal; a string is only for operators */
  constructor(refused: ClientRefusal | string, scheme: ChallengeScheme = 'Basic') {
    const refusal = typeof refused === 'string' ? undisclosedRefusal(refused) : refused;
    super('invalid_client', refusal.description ?? UNEXPLAINED, { detail: refusal.detail });
    this.scheme = scheme;
    this.refusal = refusal;
  }
}

const UNEXPLAINED = 'Client authentication failed or is missing';
