import type { AssociatedData, Digest } from '@vestibule/crypto/data-keys';
import type { ClientId } from '@vestibule/protocol';

/** Associated data of a client's secret. */
export function secretAssociatedData(id: ClientId): AssociatedData {
  return { table: 'client', column: 'secret_sealed', row: id };
}

/** Associated data of the imported hash of a client's secret. */
export function secretHashAssociatedData(id: ClientId): AssociatedData {
  return { table: 'client', column: 'secret_hash_sealed', row: id };
}

/** Associated data of a client's registration access token. */
export function registrationTokenAssociatedData(id: ClientId): AssociatedData {
  return { table: 'client', column: 'registration_token_sealed', row: id };
}

/** Associated data of a replaced secret of a client. */
export function previousSecretAssociatedData(id: ClientId): AssociatedData {
  return { table: 'earlier_client_secret', column: 'sealed', row: id };
}

/** Associated data of an idempotency record. */
export function idempotencyRecordAssociatedData(digest: Digest): AssociatedData {
  return { table: 'remembered_answer', column: 'sealed', row: Buffer.from(digest).toString('base64url') };
}
