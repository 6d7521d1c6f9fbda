import type { IdempotencyRecord, IdempotencyRecordStore } from '@vestibule/clients/registration';
import { type ColumnsOf, columnNames, type RowOf, selectList, storedMembers } from './columns.js';
import type { IdempotencyRecord as RecordModel } from './generated/client.js';
import type { RunStatement, Statement } from './statement.js';

/** The columns of the table `remembered_answer`. */
const IDEMPOTENCY_RECORD_COLUMNS = {
  digest: 'bytea',
  encrypted: 'text',
  expiresAt: 'time',
} as const satisfies ColumnsOf<RecordModel>;

type IdempotencyRecordRow = RowOf<RecordModel, typeof IDEMPOTENCY_RECORD_COLUMNS>;

/** The statements of the store. By hand, because registrations with an idempotency key begin with them. */
export const IDEMPOTENCY_RECORD_STATEMENTS = {
  find: {
    name: 'idempotency-record-find',
    text: `SELECT ${selectList(IDEMPOTENCY_RECORD_COLUMNS)} FROM remembered_answer
      WHERE digest = ANY($1::bytea[]) LIMIT 1`,
    repeatable: true,
  },
  forgetExpired: {
    name: 'idempotency-record-forget-expired',
    text: `DELETE FROM remembered_answer
      WHERE digest = ANY($1::bytea[]) AND expires_at <= to_timestamp($2)`,
    repeatable: true,
  },
} as const satisfies Record<string, Statement>;

/**
 * Builds the part of a statement that stores idempotency records for the row of `from`. An existing digest rolls back
 * the whole statement. The records are ordered, so that parallel statements conflict at the first common digest.
 * @param first number of the first parameter
 */
export function insertIdempotencyRecord(from: string, first: number): string {
  return `INSERT INTO remembered_answer (${columnNames(IDEMPOTENCY_RECORD_COLUMNS)})
    SELECT digest, sealed, to_timestamp(expires_at) FROM ${from},
      unnest($${first}::bytea[], $${first + 1}::text[], $${first + 2}::float8[]) AS response (digest, sealed, expires_at)
    ORDER BY digest`;
}

/** Returns the values of the parameters of `insertIdempotencyRecord`. */
export function idempotencyRecordValues(records: readonly IdempotencyRecord[]): unknown[] {
  return [
    records.map(({ digest }) => digest),
    records.map(({ encrypted }) => encrypted),
    records.map(({ expiresAt }) => expiresAt),
  ];
}

/** Creates the store of idempotency records in Postgres. */
export function idempotencyRecordStore(run: RunStatement): IdempotencyRecordStore {
  return {
    find: async (digests, now) => {
      const { rows } = await run<IdempotencyRecordRow>(IDEMPOTENCY_RECORD_STATEMENTS.find, [digests]);
      const found = rows[0] && storedMembers(IDEMPOTENCY_RECORD_COLUMNS, rows[0]);
      if (found === undefined || found.expiresAt > now) return found;
      // Otherwise an expired record would block the next one until the clean-up.
      await run(IDEMPOTENCY_RECORD_STATEMENTS.forgetExpired, [digests, now]);
      return undefined;
    },
  };
}
