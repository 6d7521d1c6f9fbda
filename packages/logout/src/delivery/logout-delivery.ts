import type { ClientId, EpochSeconds } from '@vestibule/protocol';

/** What has become of a notification: it waits for its next attempt, was taken, or was given up. */
export type DeliveryState = 'pending' | 'delivered' | 'dead';

/** One notification of one client that a session has ended, taken out of the outbox for an attempt. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly clientId: ClientId;
  /** Where the client receives logout tokens. */
  readonly uri: string;
  /** The host in `uri`, by which deliveries take turns. */
  readonly host: string;
  /** The end-user, for a client that knows them by the name that all clients have for them. */
  readonly subject?: string;
  /** The end-user, for a client that has a name of its own for them. */
  readonly accountId?: string;
  /** The `sid` that the client knows the session by. */
  readonly sid?: string;
  /** Which attempt this is, the first being 1. Whoever claims next has the next number. */
  readonly attempt: number;
  /** Milliseconds since it was asked for. */
  readonly ageMs: number;
  /** The request that ended the session, where it was recorded (W3C Trace Context section 3.2). */
  readonly traceparent?: string;
}

/** What one attempt came to, as it is kept. */
export interface DeliveryResult {
  readonly id: string;
  readonly attempt: number;
  readonly state: DeliveryState;
  /** Milliseconds to the next attempt, for one that waits. */
  readonly waitMs: number;
  /** The status that the client answered with. */
  readonly status?: number;
  /** Why it did not arrive: one of our own words, never text of the other side. */
  readonly error?: string;
}

/** A notification as an operator sees it: without the end-user, the session, and anything that is secret. */
export interface DeliveryRecord {
  readonly id: string;
  readonly clientId: ClientId;
  readonly uri: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** For one that waits. */
  readonly nextAttemptAt?: EpochSeconds;
  readonly lastStatus?: number;
  readonly lastError?: string;
  readonly createdAt: EpochSeconds;
  readonly redeliveredAt?: EpochSeconds;
  readonly finishedAt?: EpochSeconds;
}
