/** The last change that a receiver accepted. */
export interface DeliveryProgress {
  /** Absent before the first. */
  readonly eventId?: string;
}

/**
 * The last change that a receiver accepted, and the process that sends to it: one holder of a lease at a time. After the
 * end of a lease its holder can still use it until another one takes it.
 */
export interface ChangeDeliveries {
  /** Takes the lease; `undefined` while another holder has it. */
  take(holder: string, leaseMs: number): Promise<DeliveryProgress | undefined>;
  /** Renews the lease. Returns whether the holder still has it. */
  renew(holder: string, leaseMs: number): Promise<boolean>;
  /** Stores that a change was accepted. Returns whether the holder still has the lease. */
  advance(holder: string, eventId: string): Promise<boolean>;
  /** Gives the lease back. */
  release(holder: string): Promise<void>;
}
