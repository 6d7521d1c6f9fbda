import type { Digest } from '@vestibule/crypto/data-keys';
import type { ClientId, EpochSeconds } from '@vestibule/protocol';

/** The claims of a self-contained token that a revocation can name. */
export interface SelfContainedTokenFacts {
  readonly issuer: string;
  readonly jti: string;
  /** Earliest time at which it may have been issued, to be compared with cut-offs. */
  readonly earliestIssuedAt: EpochSeconds;
  readonly clientId: ClientId;
  readonly subject?: string;
  readonly sessionId?: string;
}

/** The revocation status of a self-contained token. */
export interface RevocationStatus {
  /** Whether a revocation covers it, or its client does not exist (any more) or is pending approval. */
  readonly isRevoked: boolean;
  /** When the registration of its client expires; absent when it does not expire. */
  readonly clientExpiresAt?: EpochSeconds;
}

/** A token that is not known, but may be imported later. */
export interface UnknownToken {
  /** Its digests as a token of each kind, each under every key, the current one first. */
  readonly digests: readonly (readonly [Digest, ...Digest[]])[];
  /** When it expires, or until when its revocation counts. */
  readonly expiresAt: EpochSeconds;
}

/**
 * Writes and reads revocations. Revoking by client, subject or session deletes identifier-based access tokens, refresh
 * tokens and (by subject or client) long-lived authorizations, and revokes every self-contained token that was issued
 * up to and including the second `now`, or under those authorizations, in one statement. Tokens that are being stored at
 * the same time are deleted too, or their statement sees the revocation. Revoking something that does not exist succeeds.
 */
export interface RevocationStore {
  /** Deletes an identifier-based access token. False when there is none. */
  revokeAccessToken(digests: readonly Digest[]): Promise<boolean>;
  /**
   * Deletes a refresh token, and revokes the access tokens of its authorization in either format. False when there is
   * no such token.
   */
  revokeRefreshToken(digests: readonly Digest[], now: EpochSeconds): Promise<boolean>;
  /**
   * Revokes a token that is not known: until it expires, an import under any of the digests stores nothing. False, with or
   * without a change, when it was imported: it may have been just now.
   */
  revokeUnknown(token: UnknownToken, now: EpochSeconds): Promise<boolean>;
  /** Returns the client of a refresh token; `undefined` if there is no such token. */
  refreshTokenOwner(digests: readonly Digest[]): Promise<ClientId | undefined>;
  /** Revokes one self-contained token until its expiry. */
  revokeSelfContained(issuer: string, jti: string, expiresAt: EpochSeconds, now: EpochSeconds): Promise<void>;
  revokeClient(clientId: ClientId, now: EpochSeconds): Promise<void>;
  revokeSubject(subject: string, now: EpochSeconds): Promise<void>;
  /** Revokes by the provider's session identifier or by the `sid` of a client. */
  revokeSession(sid: string, now: EpochSeconds): Promise<void>;
  /**
   * Revokes every self-contained token that an issuer issued up to and including the second `cutoff`. An earlier
   * cut-off than the stored one changes nothing.
   */
  revokeIssuer(issuer: string, cutoff: EpochSeconds): Promise<void>;
  /** Reads the revocation status of each token, in the same order. */
  statuses(tokens: readonly SelfContainedTokenFacts[]): Promise<readonly RevocationStatus[]>;
}
