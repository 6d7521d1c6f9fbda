import { SealError, type SealedPlace, type Sealer } from '@vestibule/crypto';
import { DomainError } from '@vestibule/protocol';
import type { ClientFilter, ClientPosition } from './client-selection.js';

/**
 * The text that leads to the next page of a list. It is sealed, so that nobody but the service can make one or read
 * one, and bound to the filters of the list.
 */
export function writeCursor(
  sealer: Sealer,
  { issuedAtMs, id }: ClientPosition,
  filter: ClientFilter,
): Promise<string> {
  return sealer.seal(JSON.stringify([issuedAtMs, id]), cursorPlace(filter));
}

/**
 * The position that a cursor stands for.
 * @throws DomainError `invalid_request` when it was not given for a list with these filters.
 */
export async function readCursor(
  sealer: Sealer,
  cursor: string,
  filter: ClientFilter,
): Promise<ClientPosition> {
  const position: unknown = JSON.parse(await openCursor(sealer, cursor, filter));
  if (Array.isArray(position) && position.length === 2) {
    const [issuedAtMs, id]: unknown[] = position;
    if (Number.isSafeInteger(issuedAtMs) && typeof issuedAtMs === 'number' && typeof id === 'string')
      return { issuedAtMs, id };
  }
  throw new TypeError('a sealed cursor is not one');
}

async function openCursor(sealer: Sealer, cursor: string, filter: ClientFilter): Promise<string> {
  try {
    return await sealer.open(cursor, cursorPlace(filter));
  } catch (cause) {
    if (!(cause instanceof SealError)) throw cause;
    throw new DomainError('invalid_request', 'The parameter cursor is not one that this list has given.', {
      cause,
    });
  }
}

/** No row has this place: what is sealed for a cursor opens nowhere else. */
function cursorPlace(filter: ClientFilter): SealedPlace {
  const members = Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1));
  return { table: 'client', column: 'list cursor', row: JSON.stringify(members) };
}
