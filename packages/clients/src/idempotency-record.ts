import type { Digest } from '@vestibule/crypto';
import type { EpochSeconds } from '@vestibule/protocol';

/** The answer to a registration that may be asked for once more. */
export interface IdempotencyRecord {
  /** Of the credential and the idempotency key together. */
  readonly digest: Digest;
  /** The answer and what it answers, sealed for (`remembered_answer`, `sealed`, digest). */
  readonly encrypted: string;
  readonly expiresAt: EpochSeconds;
}

/** Where answers are remembered; `ClientRepository.create` writes them. */
export interface IdempotencyRecordStore {
  /** The answer with any of the digests that has not expired at `now`; forgets one that has. */
  find(candidates: readonly Digest[], now: EpochSeconds): Promise<IdempotencyRecord | undefined>;
}
