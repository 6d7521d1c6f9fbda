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

/** A client that takes part in front-channel logout, as it was when its session ended. */
export interface FrontchannelClient extends SessionClient {
  /** Of its metadata what the page needs: its names, and where and how it is told. */
  readonly metadata: Partial<ClientMetadata>;
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
   * @returns the clients with a front channel; `undefined` when there was no such session
   */
  end(session: SessionIdentity, now: EpochSeconds): Promise<readonly FrontchannelClient[] | undefined>;

  /**
   * Ends a session at one client: the tokens of that client that end with the session, and a notification for that
   * client alone, if it is enrolled.
   * @returns the client, if it has a front channel; `undefined` when it was not in the session
   */
  leave(
    session: SessionIdentity,
    clientId: ClientId,
    now: EpochSeconds,
  ): Promise<readonly FrontchannelClient[] | undefined>;
}
