import type { Digest } from '@vestibule/crypto';
import type { ClientMetadata } from '@vestibule/metadata';
import type { ClientId, EpochSeconds } from '@vestibule/protocol';

/** An end-user's login in one browser. */
export interface LogoutSession {
  readonly id: string;
  readonly subject: string;
  /** The clients that the end-user is logged in to, each with the `sid` that it knows the session by. */
  readonly clients: readonly SessionClient[];
}

/** A client in a session. */
export interface SessionClient {
  readonly clientId: ClientId;
  readonly sid: string;
}

/** A client whose session has ended, as it was then. */
export interface EndedClient extends SessionClient {
  /** The part of its metadata that the page needs: its names, and its front channel. */
  readonly metadata: Partial<ClientMetadata>;
  /** Its back-channel notification in the outbox; absent for a client without a back channel. */
  readonly deliveryId?: string;
}

/** Which session is meant: the one that the end-user saw, and not one that came in its place. */
export type SessionIdentity = Pick<LogoutSession, 'id' | 'subject'>;

/** Where sessions are kept. Every change is one atomic statement, which leaves the notifications too. */
export interface LogoutSessions {
  /** The live session whose cookie has one of these digests; of several the one whose digest comes first. */
  findByCookie(candidates: readonly Digest[], now: EpochSeconds): Promise<LogoutSession | undefined>;

  /**
   * Ends a session: the tokens that end with it, and one back-channel notification for each client that is enrolled. Of
   * any number of parallel calls one ends it.
   * @returns the clients that the end-user was logged in to; `undefined` when there was no such session
   */
  end(session: SessionIdentity, now: EpochSeconds): Promise<readonly EndedClient[] | undefined>;

  /**
   * Ends a session at one client: the tokens of that client that end with the session, and a notification for that
   * client alone, if it is enrolled.
   * @returns the client; `undefined` when it was not in the session
   */
  leave(
    session: SessionIdentity,
    clientId: ClientId,
    now: EpochSeconds,
  ): Promise<readonly EndedClient[] | undefined>;
}
