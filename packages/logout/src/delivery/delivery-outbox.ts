import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import type { ClaimedDelivery, DeliveryRecord, DeliveryResult, DeliveryState } from './logout-delivery.js';

/** A client at the host of its back channel. */
export type DeliveryTarget = Pick<ClaimedDelivery, 'host' | 'clientId'>;

/** Number of further deliveries that may start at a host. */
export interface HostSlots {
  readonly host: string;
  readonly slots: number;
}

/** Number of further deliveries that may start for a client at a host. */
export interface TargetSlots extends DeliveryTarget {
  readonly slots: number;
}

/** The position at which a round of claims ended and the next one starts. */
export interface TurnPosition {
  readonly host: string;
  readonly clientId: string;
}

/** Parameters of a claim. */
export interface DeliveryClaim {
  /** Maximum number of deliveries. */
  readonly limit: number;
  /** How long the deliveries are reserved for this process, in milliseconds. */
  readonly leaseMs: number;
  /** Free slots of the known hosts, and of any other host. */
  readonly hosts: readonly HostSlots[];
  readonly slotsOfHost: number;
  /** Free slots of the known clients, and of any other client. */
  readonly targets: readonly TargetSlots[];
  readonly slotsOfTarget: number;
  /** Default: from the beginning. */
  readonly from?: TurnPosition;
}

/** The claimed deliveries. */
export interface ClaimedDeliveries {
  readonly deliveries: readonly ClaimedDelivery[];
  /** The position to continue from, if there are hosts and clients that were not looked at. */
  readonly next?: TurnPosition;
}

/** Filters and paging of a list of deliveries. */
export interface DeliverySelection {
  readonly state?: DeliveryState;
  readonly clientId?: ClientId;
  /** The end-user, by the `sub` that the authorization server uses. */
  readonly subject?: string;
  /** The session, by its own identifier or by the `sid` of any of its clients. */
  readonly session?: string;
  /** Only deliveries before this one. */
  readonly before?: string;
  readonly limit: number;
}

/** Outcome of a request to deliver a notification again. */
export type RedeliveryOutcome = 'queued' | 'already_pending' | 'unknown';

/** Numbers of waiting deliveries, for metrics. */
export interface WaitingDeliveries {
  readonly pending: number;
  readonly dead: number;
  /** Age of the oldest waiting delivery, in seconds; 0 if none waits. */
  readonly oldestSeconds: number;
}

/**
 * The outbox of notifications. Any number of processes may work on it: a claimed delivery is not given to another
 * process before its lease has ended.
 */
export interface DeliveryOutbox {
  /**
   * Claims due deliveries. Hosts and clients take turns, however many deliveries each has waiting: the first delivery
   * of every one comes before the second of any.
   */
  claim(claim: DeliveryClaim): Promise<ClaimedDeliveries>;
  /**
   * Stores results. If a delivery was claimed again in the meantime, or has been finished, the later state stays;
   * `delivered` is stored in any case.
   */
  settle(results: readonly DeliveryResult[]): Promise<void>;
  /** Deliveries, the latest first. */
  list(selection: DeliverySelection): Promise<readonly DeliveryRecord[]>;
  /** Queues a finished delivery again, as if it had just been requested, for the address that its client has now. */
  redeliver(id: string): Promise<RedeliveryOutcome>;
  waiting(): Promise<WaitingDeliveries>;
  /**
   * Deletes a batch of deliveries that were finished by an instant.
   * @returns how many
   */
  forgetFinished(by: EpochSeconds, limit: number): Promise<number>;
}

/** Sessions that end by expiry. */
export interface ExpiredSessions {
  /**
   * Ends a few expired sessions in which clients were logged in to, with the tokens that end with them, and queues a
   * notification for each client with a back channel. Of any number of processes, one does so for each session.
   * @returns how many; none if no more of them can be ended now
   */
  endExpired(now: EpochSeconds): Promise<number>;
}
