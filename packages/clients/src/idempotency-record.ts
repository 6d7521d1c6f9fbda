import type { Digest } from '@vestibule/crypto';
import type { EpochSeconds } from '@vestibule/protocol';

/** The response to a registration that may be asked for once more. */
export interface IdempotencyRecord {
  /** Of the credential and the idempotency key together. */
  readonly digest: Digest;
  /** The response and what it answers, encrypted for (`remembered_answer`, `encrypted`, digest). */
  readonly encrypted: string;
  readonly expiresAt: EpochSeconds;
}

/** Where answers are remembered; `ClientRepository.create` writes them. */
export interface IdempotencyRecordStore {
  /** The response with any of the digests that has not expired at `now`; forgets one that has. */
  find(candidates: readonly Digest[], now: EpochSeconds): Promise<IdempotencyRecord | undefined>;
}
