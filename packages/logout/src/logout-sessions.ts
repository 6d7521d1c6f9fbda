import type { Digest } from '@vestibule/crypto/data-keys';
import type { ClientMetadata } from '@vestibule/metadata';
import type { ClientId, EpochSeconds } from '@vestibule/protocol';

/** A session of an end-user in one browser. */
export interface LogoutSession {
  readonly id: string;
  readonly subject: string;
  /** The clients that the end-user is logged in to, each with the `sid` by which it knows the session. */
  readonly clients: readonly SessionClient[];
}

/** A client in a session. */
export interface SessionClient {
  readonly clientId: ClientId;
  readonly sid: string;
}

/** A client whose session has ended, as it was at that time. */
export interface EndedClient extends SessionClient {
  /** The metadata that the page needs: names and front channel. */
  readonly metadata: Partial<ClientMetadata>;
  /** Its back-channel notification in the outbox; absent for a client without a back channel. */
  readonly deliveryId?: string;
}

/** Identifies the session that the end-user saw, as opposed to one that replaced it. */
export type SessionIdentity = Pick<LogoutSession, 'id' | 'subject'>;

/** The store of sessions. Every change is one atomic statement, which also queues the notifications. */
export interface LogoutSessions {
  /** The live session whose cookie has one of these digests; of several, the one whose digest comes first. */
  findByCookie(digests: readonly Digest[], now: EpochSeconds): Promise<LogoutSession | undefined>;

  /**
   * Ends a session with the tokens that end with it, and queues one notification for each client with a back channel.
   * Of any number of parallel calls, one ends it.
   * @returns the clients that the end-user was logged in to; `undefined` if there was no such session
   */
  end(session: SessionIdentity, now: EpochSeconds): Promise<readonly EndedClient[] | undefined>;

  /**
   * Ends a session at one client with that client's tokens of the session, and queues a notification for that client
   * alone if it has a back channel.
   * @returns the client; `undefined` if it was not in the session
   */
  leave(
    session: SessionIdentity,
    clientId: ClientId,
    now: EpochSeconds,
  ): Promise<readonly EndedClient[] | undefined>;
}
