import { constantTimeEquals } from '@vestibule/crypto';
import type { Digest } from '@vestibule/crypto/data-keys';
import type { IdempotencyRecord, IdempotencyRecordStore } from '../registration/idempotency-record.js';

/** In-memory idempotency records for tests of the operations. */
export interface InMemoryIdempotencyRecordStore extends IdempotencyRecordStore {
  has(digest: Digest): boolean;
  add(response: IdempotencyRecord): void;
}

/** Creates an empty store. */
export function inMemoryIdempotencyRecordStore(): InMemoryIdempotencyRecordStore {
  const responses: IdempotencyRecord[] = [];
  return {
    has: (wanted) => responses.some(({ digest }) => constantTimeEquals(digest, wanted)),
    add: (response) => void responses.push(response),
    find: async (digests, now) =>
      responses.find(
        ({ digest, expiresAt }) =>
          expiresAt > now && digests.some((given) => constantTimeEquals(given, digest)),
      ),
  };
}
