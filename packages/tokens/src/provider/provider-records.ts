import type { Digest } from '@vestibule/crypto/data-keys';
import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { AccessToken } from '../access-token.js';

/** Data of the authorization server in a record. It is opaque to all other code and contains no credentials. */
export type ProviderPayload = JsonObject;

/** A stored record. */
export interface StoredRecord {
  readonly payload: ProviderPayload;
  /** When it was consumed; absent while it can be used. */
  readonly consumedAt?: EpochSeconds;
}

/** A refresh token. */
export interface RefreshTokenRecord {
  readonly clientId: ClientId;
  readonly subject?: string;
  readonly scope: string;
  readonly issuedAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  readonly payload: ProviderPayload;
  readonly authorizationId?: string;
  /** The session that the token ends with; absent for a token that outlives its session. */
  readonly sessionId?: string;
}

/** An authorization of a client by an end-user. */
export interface AuthorizationRecord {
  readonly id: string;
  readonly clientId: ClientId;
  readonly subject: string;
  readonly payload: ProviderPayload;
  readonly expiresAt?: EpochSeconds;
}

/** The login session of an end-user. */
export interface SessionRecord {
  readonly id: string;
  /** Digest of the value of the browser's cookie. */
  readonly cookieDigest: Digest;
  readonly subject?: string;
  readonly payload: ProviderPayload;
  readonly authenticatedAt?: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  /** The clients of the session, each with its own `sid`. */
  readonly clients: readonly SessionClientRecord[];
}

/** A client in a session. */
export interface SessionClientRecord {
  readonly clientId: string;
  readonly sid: string;
}

/** A client to be added to a session. */
export interface AddedClient extends SessionClientRecord {
  readonly subject: string;
}

/** A live session from the perspective of one client. */
export interface IdentifiedSession {
  readonly subject: string;
  /** Absent for a client that is not in the session. */
  readonly sid?: string;
}

/** A stored session. */
export interface FoundSession {
  readonly payload: ProviderPayload;
  /** The clients of the session that are still registered and not logged out, each with its own `sid`. */
  readonly clients: readonly SessionClientRecord[];
}

/** A short-lived record: an authorization code, an interaction, a pushed authorization request and so on. */
export interface ArtifactRecord {
  readonly kind: string;
  readonly digest: Digest;
  readonly payload: ProviderPayload;
  readonly uid?: string;
  readonly userCode?: string;
  readonly authorizationId?: string;
  /** The client whose deletion ends the record. */
  readonly clientId?: ClientId;
  readonly expiresAt?: EpochSeconds;
}

/** A stored artifact, with the digest under which it is stored. */
export interface FoundArtifact extends StoredRecord {
  readonly digest: Digest;
}

/** A self-contained access token that is revoked with its authorization. */
export interface AuthorizedJwt {
  readonly digest: Digest;
  readonly issuer: string;
  readonly jti: string;
  readonly authorizationId: string;
  readonly expiresAt: EpochSeconds;
}

/**
 * Stores all records of an authorization server except clients and keys. Operations that may succeed only once are
 * conditional statements, so that one of any number of parallel calls succeeds. Expired records are not found. A record
 * whose client or authorization no longer exists, or that ends with a session which has ended, is silently not stored.
 */
export interface ProviderRecords {
  readonly accessTokens: {
    /**
     * Stores a token, unless its session is known to have ended.
     * @param options `outlivesSession`: the session only names the token, which is revoked with it if it was issued up to
     *   and including the second of the end. Default false
     */
    save(
      digest: Digest,
      token: AccessToken,
      payload: ProviderPayload,
      options?: { readonly outlivesSession?: boolean },
    ): Promise<void>;
    find(digests: readonly Digest[], now: EpochSeconds): Promise<StoredRecord | undefined>;
    destroy(digests: readonly Digest[]): Promise<void>;
  };
  readonly refreshTokens: {
    save(digest: Digest, token: RefreshTokenRecord): Promise<void>;
    find(digests: readonly Digest[], now: EpochSeconds): Promise<StoredRecord | undefined>;
    /** Consumes the record. True for the call that consumed it. */
    consume(digests: readonly Digest[], now: EpochSeconds): Promise<boolean>;
    destroy(digests: readonly Digest[]): Promise<void>;
  };
  readonly authorizations: {
    save(authorization: AuthorizationRecord, now: EpochSeconds): Promise<void>;
    find(id: string, now: EpochSeconds): Promise<StoredRecord | undefined>;
    /** Revokes everything that was issued under it: tokens of every kind and codes. */
    revokeTokens(id: string, now: EpochSeconds): Promise<void>;
    /** Deletes it and revokes everything that was issued under it. */
    destroy(id: string, now: EpochSeconds): Promise<void>;
    /** Records a self-contained token, so that it is revoked with its authorization. */
    addJwt(token: AuthorizedJwt, now: EpochSeconds): Promise<void>;
  };
  readonly sessions: {
    /** Stores a session. It does not bring back a session that has ended since, nor a client that was logged out. */
    save(session: SessionRecord, now: EpochSeconds): Promise<void>;
    /**
     * Stores a session under an identifier that another server has chosen.
     * @returns false, and changes nothing, if a session or a client in a session has that identifier or had it
     */
    open(session: SessionRecord, now: EpochSeconds): Promise<boolean>;
    findByCookie(digests: readonly Digest[], now: EpochSeconds): Promise<FoundSession | undefined>;
    find(id: string, now: EpochSeconds): Promise<FoundSession | undefined>;
    destroyByCookie(digests: readonly Digest[], now: EpochSeconds): Promise<void>;
    /**
     * Adds a client that is about to receive an ID token to the live session `name` (the session's own identifier or
     * the `sid` of a client) of an end-user, with the given `sid` unless the client is in the session already.
     * @returns the `sid` of the client in the session; `undefined` when there is no such session
     */
    addClient(name: string, client: AddedClient, now: EpochSeconds): Promise<string | undefined>;
    /** Finds the end-user of the live session `name`, and the `sid` of a client in it. */
    identify(name: string, clientId: string, now: EpochSeconds): Promise<IdentifiedSession | undefined>;
    /**
     * Ends every session of an end-user like `end`.
     * @returns the number of sessions that were ended
     */
    endOfSubject(subject: string, now: EpochSeconds): Promise<number>;
    /**
     * Ends a session, named by its own identifier or by the `sid` of a client, and the tokens that end with it, and
     * queues a logout notification for each client that is registered for them.
     * @returns whether there was such a session
     */
    end(sid: string, now: EpochSeconds): Promise<boolean>;
  };
  readonly clientUses: {
    /**
     * Records that a client is used, for uses that store nothing. Storing a token or session records it by itself.
     */
    note(clientId: ClientId, now: EpochSeconds): Promise<void>;
  };
  readonly artifacts: {
    /** Stores an artifact in place of the one under any of its digests. */
    save(artifact: ArtifactRecord, digests: readonly Digest[]): Promise<void>;
    find(kind: string, digests: readonly Digest[], now: EpochSeconds): Promise<FoundArtifact | undefined>;
    /** Finds an artifact by any of the candidate names of its second identifier. */
    findByUid(kind: string, uids: readonly string[], now: EpochSeconds): Promise<FoundArtifact | undefined>;
    findByUserCode(
      kind: string,
      userCodes: readonly string[],
      now: EpochSeconds,
    ): Promise<FoundArtifact | undefined>;
    /** Consumes the record. True for the call that consumed it. */
    consume(kind: string, digests: readonly Digest[], now: EpochSeconds): Promise<boolean>;
    destroy(kind: string, digests: readonly Digest[]): Promise<void>;
    /** Stores a payload if there is none yet. @returns the stored payload */
    insertIfAbsent(kind: string, digest: Digest, payload: ProviderPayload): Promise<ProviderPayload>;
  };
}
