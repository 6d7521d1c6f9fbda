import type { Statement } from '../statement.js';

/** A key column that orders the rows. */
export interface KeyColumn {
  readonly name: string;
  readonly type: keyof typeof KEY_TYPES;
}

/** A column with encrypted records, and the key of its rows. */
export interface EncryptedColumn {
  readonly table: string;
  /** The column in the associated data of a record. */
  readonly column: string;
  /** The primary key. */
  readonly key: readonly KeyColumn[];
  /** The expression for the row in the associated data of a record. */
  readonly row: string;
  /** The expression for the record, if it is only a part of the column. */
  readonly record?: string;
  /** The assignment of the record `held.after`, likewise. */
  readonly assignment?: string;
  /** An expression to evaluate over the keys of the rows in `changed`. */
  readonly afterwards?: string;
}

// The text form of key values, and a value before all others.
const KEY_TYPES = {
  text: { read: (name: string) => name, write: (text: string) => text, first: '' },
  bigint: {
    read: (name: string) => `${name}::text`,
    write: (text: string) => `${text}::bigint`,
    first: '-1',
  },
  bytea: {
    read: (name: string) => `encode(${name}, 'hex')`,
    write: (text: string) => `decode(${text}, 'hex')`,
    first: '',
  },
} as const;

const DIGEST_ROW = `translate(encode(digest, 'base64'), '+/=', '-_')`;

/** Every column in which a record is encrypted under a data key. */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  {
    table: 'client',
    column: 'secret_sealed',
    key: [{ name: 'id', type: 'text' }],
    row: 'id',
    // Caches of the client contain the record, so they must be invalidated.
    afterwards: `vestibule_announce('k', ARRAY(SELECT vestibule_fact('client', id) FROM changed))`,
  },
  {
    table: 'client',
    column: 'secret_hash_sealed',
    key: [{ name: 'id', type: 'text' }],
    row: 'id',
  },
  {
    table: 'client',
    column: 'registration_token_sealed',
    key: [{ name: 'id', type: 'text' }],
    row: 'id',
  },
  {
    table: 'earlier_client_secret',
    column: 'sealed',
    key: [{ name: 'id', type: 'bigint' }],
    row: 'client_id',
  },
  {
    table: 'remembered_answer',
    column: 'sealed',
    key: [{ name: 'digest', type: 'bytea' }],
    row: DIGEST_ROW,
  },
  {
    table: 'signing_key',
    column: 'private_jwk_sealed',
    key: [{ name: 'kid', type: 'text' }],
    row: 'kid',
  },
  {
    table: 'artifact',
    column: 'payload',
    key: [
      { name: 'kind', type: 'text' },
      { name: 'digest', type: 'bytea' },
    ],
    row: `kind || ':' || ${DIGEST_ROW}`,
    record: `payload->>'sealed'`,
    assignment: `payload = jsonb_set(payload, '{sealed}', to_jsonb(held.after))`,
  },
];

/** A row whose record is not encrypted under the key, or the last row that was examined. */
export interface EncryptedRow {
  /** The values of the key. */
  readonly key: readonly string[];
  readonly row: string;
  /** Null when it is encrypted under the key. */
  readonly record: string | null;
}

/** Returns the position before all rows of a column. */
export function beforeAllRows({ key }: EncryptedColumn): readonly string[] {
  return key.map(({ type }) => KEY_TYPES[type].first);
}

/**
 * Builds the statement that reads, from `$2` rows after the key `$3 …`, those whose records are not encrypted under the
 * key `$1`, and the last row. Its duration does not depend on how few rows match. By hand like its counterpart, which
 * is atomic and skips locked rows.
 */
export function readStretch(column: EncryptedColumn): Statement {
  const { table, key, row } = column;
  const names = key.map(({ name }) => name).join(', ');
  const start = key.map(({ type }, index) => KEY_TYPES[type].write(`$${index + 3}::text`)).join(', ');
  const backwards = key.map(({ name }) => `${name} DESC`).join(', ');
  return {
    name: `reseal-read-${table}-${column.column}`,
    text: `WITH stretch AS MATERIALIZED (
        SELECT ${names}, ${row} AS row, ${recordOf(column)} AS record FROM ${table}
        WHERE (${names}) > (${start}) ORDER BY ${names} LIMIT $2
      )
      SELECT ARRAY[${key.map(({ name, type }) => KEY_TYPES[type].read(name)).join(', ')}] AS key, row,
        CASE WHEN split_part(record, '.', 2) <> $1 THEN record END AS record
      FROM stretch
      WHERE split_part(record, '.', 2) <> $1
        OR (${names}) = (SELECT ${names} FROM stretch ORDER BY ${backwards} LIMIT 1)
      ORDER BY ${names}`,
    repeatable: true,
  };
}

/**
 * Builds the statement that replaces records `$1` by records `$2`, if they are unchanged, in the rows with the keys
 * `$3 …`, all of them lists. Locked rows are skipped. Sessions that only refer to a row do not wait for it.
 */
export function replaceRecords(column: EncryptedColumn): Statement {
  const { table, key, assignment = `${column.column} = held.after`, afterwards } = column;
  const lists = key.map((_, index) => `$${index + 3}::text[]`).join(', ');
  const aliases = key.map((_, index) => `key_${index}`).join(', ');
  const same = (other: string) =>
    key
      .map(({ name, type }, index) => `${table}.${name} = ${KEY_TYPES[type].write(`${other}.key_${index}`)}`)
      .join(' AND ');
  return {
    name: `reseal-replace-${table}-${column.column}`,
    text: `WITH given AS (
        SELECT * FROM unnest($1::text[], $2::text[], ${lists}) AS given (before, after, ${aliases})
      ), held AS (
        SELECT given.* FROM ${table} JOIN given ON ${same('given')} AND ${recordOf(column)} = given.before
        FOR NO KEY UPDATE OF ${table} SKIP LOCKED
      ), changed AS (
        UPDATE ${table} SET ${assignment} FROM held
        WHERE ${same('held')} AND ${recordOf(column)} = held.before
        RETURNING ${key.map(({ name }) => `${table}.${name}`).join(', ')}
      )
      SELECT count(*)::integer AS changed${afterwards === undefined ? '' : `, ${afterwards}`} FROM changed`,
    repeatable: true,
  };
}

function recordOf({ column, record = column }: EncryptedColumn): string {
  return record;
}
