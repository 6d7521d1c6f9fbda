import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import type { ClaimedDelivery, DeliveryRecord, DeliveryResult, DeliveryState } from './logout-delivery.js';

/** A client at the host that it is notified at. */
export type DeliveryTarget = Pick<ClaimedDelivery, 'host' | 'clientId'>;

/** How many more deliveries may begin at a host. */
export interface HostSlots {
  readonly host: string;
  readonly slots: number;
}

/** How many more deliveries may begin for a client at a host. */
export interface TargetSlots extends DeliveryTarget {
  readonly slots: number;
}

/** Where a round of claims ended, and the next one begins. */
export interface TurnPosition {
  readonly host: string;
  readonly clientId: string;
}

/** What is claimed. */
export interface DeliveryClaim {
  /** The most deliveries. */
  readonly limit: number;
  /** How long nobody else gets them, in milliseconds. */
  readonly leaseMs: number;
  /** The free slots of hosts that are known, and of any other one. */
  readonly hosts: readonly HostSlots[];
  readonly slotsOfHost: number;
  /** The free slots of clients that are known, and of any other one. */
  readonly targets: readonly TargetSlots[];
  readonly slotsOfTarget: number;
  /** From the beginning when absent. */
  readonly from?: TurnPosition;
}

/** What was claimed. */
export interface ClaimedDeliveries {
  readonly deliveries: readonly ClaimedDelivery[];
  /** Where to go on, when there are more hosts and clients than were looked at. */
  readonly next?: TurnPosition;
}

/** Which deliveries an operator wants to see. */
export interface DeliverySelection {
  readonly state?: DeliveryState;
  readonly clientId?: ClientId;
  /** The end-user, by the name that the authorization server has for them. */
  readonly subject?: string;
  /** The session, by its own identifier or by the `sid` that any of its clients knows it by. */
  readonly session?: string;
  /** Only those before this one. */
  readonly before?: string;
  readonly limit: number;
}

/** What became of the wish to deliver something again. */
export type RedeliveryOutcome = 'queued' | 'already_pending' | 'unknown';

/** What waits, for those who watch. */
export interface WaitingDeliveries {
  readonly pending: number;
  readonly dead: number;
  /** The age of the oldest that waits, in seconds; 0 when none does. */
  readonly oldestSeconds: number;
}

/**
 * Where notifications wait until they are delivered. Any number of processes may work on it: what one has claimed no
 * other gets before the lease has ended.
 */
export interface DeliveryOutbox {
  /**
   * Takes deliveries whose time has come. Hosts and clients take turns, whatever number of deliveries each has waiting:
   * everyone's first one comes before anyone's second.
   */
  claim(claim: DeliveryClaim): Promise<ClaimedDeliveries>;
  /**
   * Keeps results. One that was claimed again in the meantime, or has been finished, keeps what came later; that it was
   * delivered is kept in any case.
   */
  settle(results: readonly DeliveryResult[]): Promise<void>;
  /** Deliveries, the latest first. */
  list(selection: DeliverySelection): Promise<readonly DeliveryRecord[]>;
  /** Lets a finished delivery wait again, as if it had been asked for now: at the address that its client has now. */
  redeliver(id: string): Promise<RedeliveryOutcome>;
  waiting(): Promise<WaitingDeliveries>;
  /** Forgets a batch of those that were finished by an instant. @returns how many */
  forgetFinished(by: EpochSeconds, limit: number): Promise<number>;
}

/** Sessions that end by themselves. */
export interface ExpiredSessions {
  /**
   * Ends a batch of sessions that have expired and in which clients were logged in to, with the tokens that end with
   * them, and leaves a notification for each client that is enrolled: of any number of processes one does for each.
   * @returns how many
   */
  endExpired(now: EpochSeconds, limit: number): Promise<number>;
}
