import type { DataKeys } from '@vestibule/crypto/data-keys';
import { DecryptionError } from '@vestibule/crypto/jwt';
import type { RunStatement } from '../statement.js';
import {
  beforeAllRows,
  ENCRYPTED_COLUMNS,
  type EncryptedColumn,
  type EncryptedRow,
  readStretch,
  replaceRecords,
} from './encrypted-column.js';

/** Options of a re-encryption run. */
export interface ReencryptRun {
  /** Largest number of rows that one statement examines or changes. Default 500. */
  readonly batchSize?: number;
  /** Dry run: counts without changing anything. */
  readonly isPlan?: boolean;
  /** Stops the run between two batches. */
  readonly signal?: AbortSignal;
  /** Called after each batch with the number of records found so far that need re-encryption. */
  readonly onProgress?: (looked: number) => void;
}

/** Result of a run. */
export interface ReencryptReport {
  /** Records that were re-encrypted. */
  readonly reencrypted: number;
  /**
   * Records that remain under another key: in a dry run, because they changed in between or are locked, or because they
   * are unreadable.
   */
  readonly left: number;
  /** Remaining records that cannot be decrypted and stay unchanged. */
  readonly unreadable: number;
}

/** The keys for records. */
export type ReencryptKeys = Pick<DataKeys, 'encryptor' | 'currentDataEncryptionKeyId'>;

const DEFAULT_BATCH_SIZE = 500;

/**
 * Re-encrypts every record that is not encrypted under the current key. Each batch is a transaction of its own. It
 * waits for no locks, blocks other sessions for at most one statement, and skips records that changed since they were
 * read. So any number of processes may run it at the same time, under any load, and the next run completes an
 * interrupted one.
 * @throws the reason of the signal, or the error of the database; the records that were re-encrypted before stay so
 */
export async function reencrypt(
  run: RunStatement,
  keys: ReencryptKeys,
  { batchSize = DEFAULT_BATCH_SIZE, isPlan = false, signal, onProgress }: ReencryptRun = {},
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
    const associatedData = { table: column.table, column: column.column, row };
    const text = await encryptor.open(record, associatedData).catch(absentWhenUnreadable);
    if (text !== undefined)
      encrypted.push({ key, before: record, after: await encryptor.encrypt(text, associatedData) });
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
