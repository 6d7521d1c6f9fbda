import type { ProviderPayload, StoredRecord } from '@vestibule/tokens';
import { instant, member } from '../column-values.js';

/** The columns by which a record is found again. */
export interface KeptRow {
  readonly payload: ProviderPayload;
  readonly consumed_at: number | null;
}

/** The record of a row, if there is one. */
export function keptFromRow(row: KeptRow | undefined): StoredRecord | undefined {
  return row && { payload: row.payload, ...member('consumedAt', instant(row.consumed_at)) };
}

/** The selected columns of a table that has both. */
export const KEPT_COLUMNS = 'payload, extract(epoch FROM consumed_at)::float8 AS consumed_at';
