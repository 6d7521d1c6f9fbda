import { type AssociatedData, DecryptionError, type Encryptor } from '@vestibule/crypto';
import { DomainError } from '@vestibule/protocol';
import type { ClientFilter, ClientPosition } from './client-selection.js';

/**
 * The text that leads to the next page of a list. It is encrypted, so that nobody but the service can make one or read
 * one, and bound to the filters of the list.
 */
export function writeCursor(
  encryptor: Encryptor,
  { issuedAtMs, id }: ClientPosition,
  filter: ClientFilter,
): Promise<string> {
  return encryptor.encrypt(JSON.stringify([issuedAtMs, id]), cursorAssociatedData(filter));
}

/**
 * The position that a cursor stands for.
 * @throws DomainError `invalid_request` when it was not given for a list with these filters.
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
  throw new TypeError('a sealed cursor is not one');
}

async function openCursor(encryptor: Encryptor, cursor: string, filter: ClientFilter): Promise<string> {
  try {
    return await encryptor.open(cursor, cursorAssociatedData(filter));
  } catch (cause) {
    if (!(cause instanceof DecryptionError)) throw cause;
    throw new DomainError('invalid_request', 'The parameter cursor is not one that this list has given.', {
      cause,
    });
  }
}

/** No row has this place: what is encrypted for a cursor opens nowhere else. */
function cursorAssociatedData(filter: ClientFilter): AssociatedData {
  const members = Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1));
  return { table: 'client', column: 'list cursor', row: JSON.stringify(members) };
}
