import type { Digest } from '@vestibule/crypto';
import type { ClientId, EpochSeconds } from '@vestibule/protocol';

/** Everything of a self-contained token that a revocation can name. */
export interface SelfContainedTokenFacts {
  readonly issuer: string;
  readonly jti: string;
  /** The earliest time at which it can have been issued: what was issued by then is covered by a cutoff. */
  readonly earliestIssuedAt: EpochSeconds;
  readonly clientId: ClientId;
  readonly subject?: string;
  readonly sessionId?: string;
}

/** What the store knows of a self-contained token. */
export interface TokenStanding {
  /** Whether any revocation covers it, or its client does not exist (any more) or waits for approval. */
  readonly isRevoked: boolean;
  /** When the registration of its client ends; absent when it does not end. */
  readonly clientExpiresAt?: EpochSeconds;
}

/**
 * Where revocations are written and read. Revoking by client, subject or session deletes identifier-based access
 * tokens, refresh tokens and (by subject or client) long-lived authorisations, and revokes every self-contained token
 * issued up to and including the second `now`, or under those authorisations; all in one statement. Revoking what does
 * not exist succeeds.
 */
export interface RevocationStore {
  /** Deletes an identifier-based access token. False when there is none. */
  revokeAccessToken(candidates: readonly Digest[]): Promise<boolean>;
  /**
   * Deletes a refresh token, and revokes the access tokens of its authorisation in either format. False when there is
   * none.
   */
  revokeRefreshToken(candidates: readonly Digest[], now: EpochSeconds): Promise<boolean>;
  /** Revokes one self-contained token until its expiry. */
  revokeSelfContained(issuer: string, jti: string, expiresAt: EpochSeconds, now: EpochSeconds): Promise<void>;
  revokeClient(clientId: ClientId, now: EpochSeconds): Promise<void>;
  revokeSubject(subject: string, now: EpochSeconds): Promise<void>;
  /** By the provider's session identifier or by the `sid` that a client knows it by. */
  revokeSession(sid: string, now: EpochSeconds): Promise<void>;
  /**
   * Revokes every self-contained token that an issuer issued up to and including the second `cutoff`. Never moves back.
   */
  revokeIssuer(issuer: string, cutoff: EpochSeconds): Promise<void>;
  /** What is known of each of the tokens, in their order. */
  standings(tokens: readonly SelfContainedTokenFacts[]): Promise<readonly TokenStanding[]>;
}
