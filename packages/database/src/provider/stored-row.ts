import type { ProviderPayload, StoredRecord } from '@vestibule/tokens/provider';
import { type ColumnsOf, type RowOf, selectList, storedMembers } from '../columns.js';
import type { Artifact, RefreshToken } from '../generated/client.js';

const COLUMNS = {
  payload: 'jsonb',
  consumedAt: 'time',
} as const satisfies ColumnsOf<Artifact> & ColumnsOf<RefreshToken>;

/** The SELECT list for {@link StoredRow}. */
export const STORED_COLUMNS = selectList(COLUMNS);

/** The columns of a stored record. */
export type StoredRow = RowOf<Artifact, typeof COLUMNS, { readonly payload: ProviderPayload }>;

/** Converts a row, if there is one, to a record. */
export function recordFromRow(row: StoredRow | undefined): StoredRecord | undefined {
  return row && storedMembers(COLUMNS, row);
}
