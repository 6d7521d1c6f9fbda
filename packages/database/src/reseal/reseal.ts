import { type DataKeys, SealError } from '@vestibule/crypto';
import type { RunStatement } from '../statement.js';
import {
  beforeAllRows,
  readStretch,
  replaceRecords,
  SEALED_COLUMNS,
  type SealedColumn,
  type SealedRow,
} from './sealed-column.js';

/** One round of sealing anew. */
export interface ResealRound {
  /** The most rows that one statement looks at or changes, default 500. */
  readonly batchSize?: number;
  /** Only count; change nothing. */
  readonly isPlan?: boolean;
  /** Ends the round between two batches when it is aborted. */
  readonly signal?: AbortSignal;
  /** Told after each batch how many records were looked at that are due. */
  readonly onProgress?: (looked: number) => void;
}

/** What a round did. */
export interface ResealReport {
  /** Records that were sealed anew. */
  readonly resealed: number;
  /**
   * Records that were met under another key and are so still: of a plan, changed meanwhile, held by somebody else,
   * unreadable.
   */
  readonly left: number;
  /** How many of those that are left do not open, and stay as they are. */
  readonly unreadable: number;
}

/** The keys that records are sealed under. */
export type ResealKeys = Pick<DataKeys, 'sealer' | 'currentSealKeyId'>;

const DEFAULT_BATCH_SIZE = 500;

/**
 * Seals every record anew that is not under the key that seals now. Each batch is a change of its own that waits for
 * nobody and that nobody waits for longer than one statement, and leaves alone what was changed since it was read: any
 * number of processes may do this at once beside any load, and a round that was killed is made up by the next.
 * @throws the reason of the signal, and whatever the database throws; what was sealed by then stays
 */
export async function reseal(
  run: RunStatement,
  keys: ResealKeys,
  { batchSize = DEFAULT_BATCH_SIZE, isPlan = false, signal, onProgress }: ResealRound = {},
): Promise<ResealReport> {
  const total = { resealed: 0, left: 0, unreadable: 0 };
  for (const column of SEALED_COLUMNS) {
    for await (const rows of dueRows(run, column, { keyId: keys.currentSealKeyId(), batchSize })) {
      signal?.throwIfAborted();
      const { resealed, unreadable } = isPlan ? NOTHING : await resealRows(run, keys, { column, rows });
      total.resealed += resealed;
      total.unreadable += unreadable;
      total.left += rows.length - resealed;
      onProgress?.(total.resealed + total.left);
    }
  }
  return total;
}

const NOTHING = { resealed: 0, unreadable: 0 };

type DueRow = SealedRow & { readonly record: string };

async function* dueRows(
  run: RunStatement,
  column: SealedColumn,
  { keyId, batchSize }: { readonly keyId: string; readonly batchSize: number },
): AsyncGenerator<readonly DueRow[]> {
  const statement = readStretch(column);
  let last = beforeAllRows(column);
  for (;;) {
    const { rows } = await run<SealedRow>(statement, [keyId, batchSize, ...last]);
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.key;
    const due = rows.filter((row): row is DueRow => row.record !== null);
    if (due.length > 0) yield due;
  }
}

async function resealRows(
  run: RunStatement,
  { sealer }: ResealKeys,
  { column, rows }: { readonly column: SealedColumn; readonly rows: readonly DueRow[] },
): Promise<{ readonly resealed: number; readonly unreadable: number }> {
  const sealed: { readonly key: readonly string[]; readonly before: string; readonly after: string }[] = [];
  for (const { key, row, record } of rows) {
    const place = { table: column.table, column: column.column, row };
    const text = await sealer.open(record, place).catch(absentWhenUnreadable);
    if (text !== undefined) sealed.push({ key, before: record, after: await sealer.seal(text, place) });
  }
  const unreadable = rows.length - sealed.length;
  if (sealed.length === 0) return { resealed: 0, unreadable };
  const { rows: answers } = await run<{ changed: number }>(replaceRecords(column), [
    sealed.map(({ before }) => before),
    sealed.map(({ after }) => after),
    ...column.key.map((_, index) => sealed.map(({ key }) => key[index])),
  ]);
  return { resealed: answers[0]?.changed ?? 0, unreadable };
}

function absentWhenUnreadable(error: unknown): undefined {
  if (!(error instanceof SealError)) throw error;
}
