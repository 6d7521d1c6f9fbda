import { type DataKeys, DecryptionError } from '@vestibule/crypto';
import type { RunStatement } from '../statement.js';
import {
  beforeAllRows,
  ENCRYPTED_COLUMNS,
  type EncryptedColumn,
  type EncryptedRow,
  readStretch,
  replaceRecords,
} from './encrypted-column.js';

/** One round of encrypting anew. */
export interface ReencryptRound {
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
export interface ReencryptReport {
  /** Records that were encrypted anew. */
  readonly reencrypted: number;
  /**
   * Records that were met under another key and are so still: of a plan, changed meanwhile, held by someone else,
   * unreadable.
   */
  readonly left: number;
  /** How many of those that are left do not open, and stay as they are. */
  readonly unreadable: number;
}

/** The keys that records are encrypted under. */
export type ReencryptKeys = Pick<DataKeys, 'encryptor' | 'currentDataEncryptionKeyId'>;

const DEFAULT_BATCH_SIZE = 500;

/**
 * Encrypts every record anew that is not under the key that encrypts now. Each batch is a change of its own that waits
 * for nobody and that nobody waits for longer than one statement, and leaves alone what was changed since it was read:
 * any number of processes may do this at once beside any load, and a round that was killed is made up by the next.
 * @throws the reason of the signal, and whatever the database throws; what was encrypted by then stays
 */
export async function reencrypt(
  run: RunStatement,
  keys: ReencryptKeys,
  { batchSize = DEFAULT_BATCH_SIZE, isPlan = false, signal, onProgress }: ReencryptRound = {},
): Promise<ReencryptReport> {
  const total = { reencrypted: 0, left: 0, unreadable: 0 };
  for (const column of ENCRYPTED_COLUMNS) {
    for await (const rows of dueRows(run, column, { keyId: keys.currentDataEncryptionKeyId(), batchSize })) {
      signal?.throwIfAborted();
      const { reencrypted, unreadable } = isPlan ? NOTHING : await reencryptRows(run, keys, { column, rows });
      total.reencrypted += reencrypted;
      total.unreadable += unreadable;
      total.left += rows.length - reencrypted;
      onProgress?.(total.reencrypted + total.left);
    }
  }
  return total;
}

const NOTHING = { reencrypted: 0, unreadable: 0 };

type DueRow = EncryptedRow & { readonly record: string };

async function* dueRows(
  run: RunStatement,
  column: EncryptedColumn,
  { keyId, batchSize }: { readonly keyId: string; readonly batchSize: number },
): AsyncGenerator<readonly DueRow[]> {
  const statement = readStretch(column);
  let last = beforeAllRows(column);
  for (;;) {
    const { rows } = await run<EncryptedRow>(statement, [keyId, batchSize, ...last]);
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.key;
    const due = rows.filter((row): row is DueRow => row.record !== null);
    if (due.length > 0) yield due;
  }
}

async function reencryptRows(
  run: RunStatement,
  { encryptor }: ReencryptKeys,
  { column, rows }: { readonly column: EncryptedColumn; readonly rows: readonly DueRow[] },
): Promise<{ readonly reencrypted: number; readonly unreadable: number }> {
  const encrypted: { readonly key: readonly string[]; readonly before: string; readonly after: string }[] =
    [];
  for (const { key, row, record } of rows) {
    const place = { table: column.table, column: column.column, row };
    const text = await encryptor.open(record, place).catch(absentWhenUnreadable);
    if (text !== undefined)
      encrypted.push({ key, before: record, after: await encryptor.encrypt(text, place) });
  }
  const unreadable = rows.length - encrypted.length;
  if (encrypted.length === 0) return { reencrypted: 0, unreadable };
  const { rows: responses } = await run<{ changed: number }>(replaceRecords(column), [
    encrypted.map(({ before }) => before),
    encrypted.map(({ after }) => after),
    ...column.key.map((_, index) => encrypted.map(({ key }) => key[index])),
  ]);
  return { reencrypted: responses[0]?.changed ?? 0, unreadable };
}

function absentWhenUnreadable(error: unknown): undefined {
  if (!(error instanceof DecryptionError)) throw error;
}
