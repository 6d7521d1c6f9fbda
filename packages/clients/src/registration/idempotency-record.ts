import type { Digest } from '@vestibule/crypto/data-keys';
import type { EpochSeconds } from '@vestibule/protocol';

/** A stored response to a registration with an idempotency key. */
export interface IdempotencyRecord {
  /** Digest of the credential and the idempotency key together. */
  readonly digest: Digest;
  /** The response and the fingerprint of its request, encrypted for (`remembered_answer`, `sealed`, digest). */
  readonly encrypted: string;
  readonly expiresAt: EpochSeconds;
}

/** Store of idempotency records. `ClientRepository.create` writes them. */
export interface IdempotencyRecordStore {
  /** Finds the unexpired record with one of the digests; deletes an expired one. */
  find(digests: readonly Digest[], now: EpochSeconds): Promise<IdempotencyRecord | undefined>;
}
