import type { AssociatedData, Digest } from '@vestibule/crypto';
import type { ClientId } from '@vestibule/protocol';

/** Where the secret of a client is encrypted for. */
export function secretAssociatedData(id: ClientId): AssociatedData {
  return { table: 'client', column: 'secret_sealed', row: id };
}

/** Where the imported hash of a client's secret is encrypted for. */
export function secretHashAssociatedData(id: ClientId): AssociatedData {
  return { table: 'client', column: 'secret_hash_sealed', row: id };
}

/** Where the registration access token of a client is encrypted for. */
export function registrationTokenAssociatedData(id: ClientId): AssociatedData {
  return { table: 'client', column: 'registration_token_sealed', row: id };
}

/** Where a replaced secret of a client is encrypted for. */
export function earlierSecretAssociatedData(id: ClientId): AssociatedData {
  return { table: 'earlier_client_secret', column: 'sealed', row: id };
}

/** Where a response that may be asked for once more is encrypted for. */
export function idempotencyRecordAssociatedData(digest: Digest): AssociatedData {
  return { table: 'remembered_answer', column: 'sealed', row: Buffer.from(digest).toString('base64url') };
}
