import type { SealedPlace } from '@vestibule/crypto';
import type { ClientId } from '@vestibule/protocol';

/** Where the secret of a client is sealed for. */
export function secretPlace(id: ClientId): SealedPlace {
  return { table: 'client', column: 'secret_sealed', row: id };
}

/** Where the registration access token of a client is sealed for. */
export function registrationTokenPlace(id: ClientId): SealedPlace {
  return { table: 'client', column: 'registration_token_sealed', row: id };
}

/** Where a replaced secret of a client is sealed for. */
export function earlierSecretPlace(id: ClientId): SealedPlace {
  return { table: 'earlier_client_secret', column: 'sealed', row: id };
}
