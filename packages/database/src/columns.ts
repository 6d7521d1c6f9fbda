import type { Digest } from '@vestibule/crypto/data-keys';
import type { EpochSeconds } from '@vestibule/protocol';
import { digestOf, instant } from './column-values.js';
import type { Prisma } from './generated/client.js';

/**
 * Columns of a table with their types, under the names of their fields in the schema. Statements take and return a
 * `time` as seconds since the epoch, so that neither side formats and parses dates.
 */
export type Columns = Readonly<Record<string, string>>;

/** Columns of the table of a model; an enumeration has the name of its type. */
export type ColumnsOf<Model> = { readonly [Field in keyof Model]?: ColumnType<NonNullable<Model[Field]>> };

type ColumnType<Value> = Value extends Date
  ? 'time'
  : Value extends Uint8Array
    ? 'bytea'
    : Value extends bigint
      ? 'bigint'
      : [Value] extends [boolean]
        ? 'boolean'
        : [Value] extends [number]
          ? 'integer'
          : [Value] extends [string[]]
            ? 'text[]'
            : [Value] extends [string]
              ? string
              : 'jsonb';

/**
 * A row of selected columns. JSON and values that the domain describes more narrowly, such as identifiers, have the type
 * of its member with the same name.
 */
export type RowOf<Model, Table extends Columns, Domain = unknown> = {
  readonly [Field in keyof Table & keyof Model]: StoredValue<Model[Field], MemberOf<Domain, Field>>;
};

/** A row of {@link jsonObject}. */
export type InJson<Row> = {
  readonly [Field in keyof Row]: Row[Field] extends Uint8Array | null
    ? string | Extract<Row[Field], null>
    : Row[Field];
};

type MemberOf<Domain, Field> = Field extends keyof Domain ? Domain[Field] : undefined;

type StoredValue<Value, Own> = [NonNullable<Value>] extends [Date]
  ? number | Extract<Value, null>
  : [NonNullable<Value>] extends [Uint8Array]
    ? Uint8Array | Extract<Value, null>
    : [Prisma.JsonValue] extends [Value]
      ? NonNullable<Own> | (undefined extends Own ? null : never)
      : [Own] extends [Value | undefined]
        ? NonNullable<[NonNullable<Own>] extends [never] ? Value : Own> | Extract<Value, null>
        : Value;

/** What a row stores: without null, and with times and digests in the types of the domain. */
export type StoredMembers<Table extends Columns, Row> = {
  readonly [Field in keyof Table & keyof Row as null extends Row[Field] ? never : Field]: Member<
    Table[Field],
    Row[Field]
  >;
} & {
  readonly [Field in keyof Table & keyof Row as null extends Row[Field] ? Field : never]?: Member<
    Table[Field],
    NonNullable<Row[Field]>
  >;
};

type Member<Type, Value> = Type extends 'time' ? EpochSeconds : Type extends 'bytea' ? Digest : Value;

/** Converts a row to an object with its members, leaving out null. */
export function storedMembers<
  Table extends Columns,
  Row extends { readonly [Field in keyof Table]: unknown },
>(columns: Table, row: Row): StoredMembers<Table, Row> {
  const present = Object.entries(columns).filter(([field]) => row[field] !== null);
  const members = present.map(([field, type]) => [field, memberValue(type, row[field])]);
  return Object.fromEntries(members) as StoredMembers<Table, Row>;
}

function memberValue(type: string, value: unknown): unknown {
  if (type === 'time') return instant(Number(value));
  return type === 'bytea' && value instanceof Uint8Array ? digestOf(value) : value;
}

/**
 * Returns the name of a column: in the schema, the fields of `…_sealed` columns are named `…Encrypted`, and the
 * field of `rights` is named `grantedScopes`.
 */
export function columnName(field: string): string {
  return field
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replace(/(^|_)encrypted$/, '$1sealed')
    .replace(/^granted_scopes$/, 'rights');
}

/** Builds the list of a SELECT or RETURNING with every column under the name of its field. */
export function selectList(columns: Columns): string {
  return Object.entries(columns)
    .map(([field, type]) => `${type === 'time' ? seconds(field) : quoted(field)} AS "${field}"`)
    .join(', ');
}

/**
 * Builds the expression for a JSON object with every column under the name of its field, and digests in base64. One
 * value is faster to read than many columns.
 */
export function jsonObject(columns: Columns): string {
  const members = Object.entries(columns).map(([field, type]) => `'${field}', ${jsonValue(field, type)}`);
  return `json_build_object(${members.join(', ')})`;
}

/** Builds the column list of an INSERT. */
export function columnNames(columns: Columns): string {
  return Object.keys(columns).map(quoted).join(', ');
}

/** Builds the list of parameters, one per column in order, from `$<first>` on. */
export function placeholders(columns: Columns, first = 1): string {
  return Object.values(columns)
    .map((type, index) => placeholder(type, first + index))
    .join(', ');
}

/** Returns the parameter of one column, if they are numbered from `$<first>` on. */
export function placeholderOf<Table extends Columns>(
  columns: Table,
  field: keyof Table & string,
  first = 1,
): string {
  return `$${first + Object.keys(columns).indexOf(field)}`;
}

/** Builds the assignments of all columns in order, from `$<first>` on. */
export function assignments(columns: Columns, first = 1): string {
  return Object.entries(columns)
    .map(([field, type], index) => `${quoted(field)} = ${placeholder(type, first + index)}`)
    .join(', ');
}

/** Returns the values for the parameters of `placeholders` and `assignments`. */
export function parameters<Table extends Columns, Values extends object>(
  columns: Table,
  values: Values & (keyof Table extends keyof Values ? unknown : never),
): unknown[] {
  return Object.keys(columns).map((field): unknown => Reflect.get(values, field));
}

function jsonValue(field: string, type: string): string {
  if (type === 'time') return seconds(field);
  return type === 'bytea' ? `encode(${quoted(field)}, 'base64')` : quoted(field);
}

function seconds(field: string): string {
  return `extract(epoch FROM ${quoted(field)})::float8`;
}

function quoted(field: string): string {
  return `"${columnName(field)}"`;
}

function placeholder(type: string, number: number): string {
  return type === 'time' ? `to_timestamp($${number})` : `$${number}::${type}`;
}
