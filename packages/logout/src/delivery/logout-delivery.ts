import type { ClientId, EpochSeconds } from '@vestibule/protocol';

/** State of a notification: it waits for an attempt, was delivered, or was given up. */
export type DeliveryState = 'pending' | 'delivered' | 'dead';

/** A notification to one client that a session has ended, claimed from the outbox for an attempt. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly clientId: ClientId;
  /** Where the client receives logout tokens. */
  readonly uri: string;
  /** The host in `uri`; hosts take turns. */
  readonly host: string;
  /** The `sub` of the end-user, for a client with public subjects. */
  readonly subject?: string;
  /** The account of the end-user, for a client with pairwise subjects. */
  readonly accountId?: string;
  /** The `sid` by which the client knows the session. */
  readonly sid?: string;
  /** Number of the attempt, starting at 1. Each claim increments it. */
  readonly attempt: number;
  /** Age of the notification, in milliseconds. */
  readonly ageMs: number;
  /** Trace context of the request that ended the session, if it was traced (W3C Trace Context section 3.2). */
  readonly traceparent?: string;
}

/** Result of an attempt, as stored. */
export interface DeliveryResult {
  readonly id: string;
  readonly attempt: number;
  readonly state: DeliveryState;
  /** Milliseconds to the next attempt, for a waiting delivery. */
  readonly waitMs: number;
  /** HTTP status of the client's response. */
  readonly status?: number;
  /** Reason of the failure: a fixed word, never text of the client. */
  readonly error?: string;
}

/** A notification as an operator sees it: without the end-user, the session and secrets. */
export interface DeliveryRecord {
  readonly id: string;
  readonly clientId: ClientId;
  readonly uri: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Present for a waiting delivery. */
  readonly nextAttemptAt?: EpochSeconds;
  readonly lastStatus?: number;
  readonly lastError?: string;
  readonly createdAt: EpochSeconds;
  readonly redeliveredAt?: EpochSeconds;
  readonly finishedAt?: EpochSeconds;
}
