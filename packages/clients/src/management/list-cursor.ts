import type { AssociatedData, Encryptor } from '@vestibule/crypto/data-keys';
import { DecryptionError } from '@vestibule/crypto/jwt';
import { DomainError } from '@vestibule/protocol';
import type { ClientFilter, ClientPosition } from './client-selection.js';

/**
 * Encrypts the position of the next page as a cursor, so that clients can neither forge nor read it. It is bound to the
 * filters of the list.
 */
export function writeCursor(
  encryptor: Encryptor,
  { issuedAtMs, id }: ClientPosition,
  filter: ClientFilter,
): Promise<string> {
  return encryptor.encrypt(JSON.stringify([issuedAtMs, id]), cursorAssociatedData(filter));
}

/**
 * Decrypts a cursor into a position.
 * @throws DomainError `invalid_request` when it was not issued for a list with these filters.
 */
export async function readCursor(
  encryptor: Encryptor,
  cursor: string,
  filter: ClientFilter,
): Promise<ClientPosition> {
  const position: unknown = JSON.parse(await openCursor(encryptor, cursor, filter));
  if (Array.isArray(position) && position.length === 2) {
    const [issuedAtMs, id]: unknown[] = position;
    if (Number.isSafeInteger(issuedAtMs) && typeof issuedAtMs === 'number' && typeof id === 'string')
      return { issuedAtMs, id };
  }
  throw new TypeError('a decrypted cursor is malformed');
}

async function openCursor(encryptor: Encryptor, cursor: string, filter: ClientFilter): Promise<string> {
  try {
    return await encryptor.open(cursor, cursorAssociatedData(filter));
  } catch (cause) {
    if (!(cause instanceof DecryptionError)) throw cause;
    throw new DomainError('invalid_request', 'cursor: does not belong to this list', {
      cause,
    });
  }
}

/** No stored row has this associated data, so a cursor cannot be decrypted as anything else. */
function cursorAssociatedData(filter: ClientFilter): AssociatedData {
  const members = Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1));
  return { table: 'client', column: 'list cursor', row: JSON.stringify(members) };
}
