import { DomainError } from '@vestibule/protocol';

/** The way to prove one's identity that a challenge names. */
export type ChallengeScheme = 'Basic' | 'Bearer' | 'DPoP';

/** A failed or missing proof of identity; one public sentence for all of them. */
export class InvalidClientError extends DomainError {
  /** What the request tried, by `Authorization` header; `Basic` when it tried nothing there (RFC 6749 section 5.2). */
  readonly scheme: ChallengeScheme;

  /** @param detail what failed, for operators alone */
  constructor(detail: string, scheme: ChallengeScheme = 'Basic') {
    super('invalid_client', 'Client authentication failed or is missing', { detail });
    this.scheme = scheme;
  }
}
