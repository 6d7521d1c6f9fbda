import type { ProviderPayload, StoredRecord } from '@vestibule/tokens';
import { instant, member } from '../column-values.js';

/** The columns of a stored record. */
export interface StoredRow {
  readonly payload: ProviderPayload;
  readonly consumed_at: number | null;
}

/** Converts a row, if there is one, to a record. */
export function recordFromRow(row: StoredRow | undefined): StoredRecord | undefined {
  return row && { payload: row.payload, ...member('consumedAt', instant(row.consumed_at)) };
}

/** The SELECT list for {@link StoredRow}. */
export const STORED_COLUMNS = 'payload, extract(epoch FROM consumed_at)::float8 AS consumed_at';
