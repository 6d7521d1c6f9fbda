import type { Digest } from '@vestibule/crypto';
import type { ClientId, EpochSeconds, JsonObject } from '@vestibule/protocol';
import type { AccessToken } from './access-token.js';

/** What an authorisation server keeps of its own with a record; opaque to everyone else, and without credentials. */
export type ProviderPayload = JsonObject;

/** A record as its owner finds it again. */
export interface KeptRecord {
  readonly payload: ProviderPayload;
  /** When it was used up; absent for what can still be used. */
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
  /** The session that it ends with; absent for one that outlives its session. */
  readonly sessionId?: string;
}

/** What an end-user allowed a client. */
export interface AuthorizationRecord {
  readonly id: string;
  readonly clientId: ClientId;
  readonly subject: string;
  readonly payload: ProviderPayload;
  readonly expiresAt?: EpochSeconds;
}

/** An end-user's login. */
export interface SessionRecord {
  readonly id: string;
  /** Digest of what the browser holds. */
  readonly cookieDigest: Digest;
  readonly subject?: string;
  readonly payload: ProviderPayload;
  readonly authenticatedAt?: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  /** The clients that were logged in to, each with the `sid` that it knows the session by. */
  readonly clients: readonly SessionClientRecord[];
}

/** A client in a session. */
export interface SessionClientRecord {
  readonly clientId: string;
  readonly sid: string;
}

/** A client that is about to receive an ID token. */
export interface EnteringClient extends SessionClientRecord {
  readonly subject: string;
}

/** A live session, as one client knows it. */
export interface IdentifiedSession {
  readonly subject: string;
  /** Absent for a client that is not in the session. */
  readonly sid?: string;
}

/** A session as it is found again. */
export interface FoundSession {
  readonly payload: ProviderPayload;
  /** The clients that are still registered and still logged in to, each with the `sid` that it knows the session by. */
  readonly clients: readonly SessionClientRecord[];
}

/** A code, an interaction, a pushed request or the like. */
export interface ArtifactRecord {
  readonly kind: string;
  readonly digest: Digest;
  readonly payload: ProviderPayload;
  readonly uid?: string;
  readonly userCode?: string;
  readonly authorizationId?: string;
  /** The client that it ends with. */
  readonly clientId?: ClientId;
  readonly expiresAt?: EpochSeconds;
}

/** An artifact as it is found again, with the digest that it lies under. */
export interface FoundArtifact extends KeptRecord {
  readonly digest: Digest;
}

/** A self-contained access token that dies with its authorisation. */
export interface AuthorizedJwt {
  readonly digest: Digest;
  readonly issuer: string;
  readonly jti: string;
  readonly authorizationId: string;
  readonly expiresAt: EpochSeconds;
}

/**
 * Everything that an authorisation server keeps besides clients and keys. Whatever can happen once is one conditional
 * change, so that of any number of parallel calls one succeeds. What has expired is not found. A record whose client or
 * authorisation has gone is not kept: it died before it was born.
 */
export interface ProviderRecords {
  readonly accessTokens: {
    save(digest: Digest, token: AccessToken, payload: ProviderPayload): Promise<void>;
    find(candidates: readonly Digest[], now: EpochSeconds): Promise<KeptRecord | undefined>;
    destroy(candidates: readonly Digest[]): Promise<void>;
  };
  readonly refreshTokens: {
    save(digest: Digest, token: RefreshTokenRecord): Promise<void>;
    find(candidates: readonly Digest[], now: EpochSeconds): Promise<KeptRecord | undefined>;
    /** Whether this call used it up. */
    consume(candidates: readonly Digest[], now: EpochSeconds): Promise<boolean>;
    destroy(candidates: readonly Digest[]): Promise<void>;
  };
  readonly authorizations: {
    save(authorization: AuthorizationRecord, now: EpochSeconds): Promise<void>;
    find(id: string, now: EpochSeconds): Promise<KeptRecord | undefined>;
    /** Ends everything that was issued under it: tokens of every kind and codes. */
    revokeTokens(id: string, now: EpochSeconds): Promise<void>;
    /** Ends it with everything that was issued under it. */
    destroy(id: string, now: EpochSeconds): Promise<void>;
    /** Remembers a self-contained token, so that it dies with its authorisation. */
    addJwt(token: AuthorizedJwt, now: EpochSeconds): Promise<void>;
  };
  readonly sessions: {
    /** One that has ended meanwhile is not brought back by it, nor a client that it has ended at. */
    save(session: SessionRecord, now: EpochSeconds): Promise<void>;
    findByCookie(candidates: readonly Digest[], now: EpochSeconds): Promise<FoundSession | undefined>;
    find(id: string, now: EpochSeconds): Promise<FoundSession | undefined>;
    destroyByCookie(candidates: readonly Digest[], now: EpochSeconds): Promise<void>;
    /**
     * Enters a client that is about to receive an ID token into the live session `name` (its own identifier, or one
     * that a client knows it by) of an end-user, under `sid` unless it is in the session already.
     * @returns the `sid` that the client knows the session by; `undefined` when there is no such session
     */
    enter(name: string, client: EnteringClient, now: EpochSeconds): Promise<string | undefined>;
    /** Whose live session `name` is, and the `sid` that a client knows it by. */
    identify(name: string, clientId: string, now: EpochSeconds): Promise<IdentifiedSession | undefined>;
    /**
     * Ends every session of an end-user as `end` does.
     * @returns how many there were
     */
    endOfSubject(subject: string, now: EpochSeconds): Promise<number>;
    /**
     * Ends a session, named by its own identifier or by one that a client knows it by, with the tokens that end with
     * it, and leaves a notification for each client that is registered for them.
     * @returns whether there was one
     */
    end(sid: string, now: EpochSeconds): Promise<boolean>;
  };
  readonly clientUses: {
    /**
     * Notes that a client is used where nothing is stored that would show it; storing a token or login does so itself.
     */
    note(clientId: ClientId, now: EpochSeconds): Promise<void>;
  };
  readonly artifacts: {
    /** Replaces what lies under any of the digests that it can have. */
    save(artifact: ArtifactRecord, candidates: readonly Digest[]): Promise<void>;
    find(kind: string, candidates: readonly Digest[], now: EpochSeconds): Promise<FoundArtifact | undefined>;
    /** By any of the names that the second identifier can have. */
    findByUid(kind: string, uids: readonly string[], now: EpochSeconds): Promise<FoundArtifact | undefined>;
    findByUserCode(
      kind: string,
      userCodes: readonly string[],
      now: EpochSeconds,
    ): Promise<FoundArtifact | undefined>;
    /** Whether this call used it up. */
    consume(kind: string, candidates: readonly Digest[], now: EpochSeconds): Promise<boolean>;
    destroy(kind: string, candidates: readonly Digest[]): Promise<void>;
    /** Keeps a payload where there is none yet. @returns the one that was there first */
    keepFirst(kind: string, digest: Digest, payload: ProviderPayload): Promise<ProviderPayload>;
  };
}
