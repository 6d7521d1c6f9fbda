/**
 * The columns of a table by name, with their types. Statements take and return a `time` as seconds since the epoch, so
 * that neither side formats and parses dates.
 */
export type Columns = Readonly<Record<string, string>>;

/** Builds the list of a SELECT or RETURNING with every column under its name. */
export function selectList(columns: Columns): string {
  return Object.entries(columns)
    .map(([name, type]) => (type === 'time' ? `${seconds(name)} AS "${name}"` : `"${name}"`))
    .join(', ');
}

/**
 * Builds the expression for a JSON object with every column under its name, and digests in base64. One value is faster
 * to read than many columns.
 */
export function jsonObject(columns: Columns): string {
  const members = Object.entries(columns).map(([name, type]) => `'${name}', ${jsonValue(name, type)}`);
  return `json_build_object(${members.join(', ')})`;
}

/** Builds the column list of an INSERT. */
export function columnNames(columns: Columns): string {
  return Object.keys(columns)
    .map((name) => `"${name}"`)
    .join(', ');
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
  name: keyof Table & string,
  first = 1,
): string {
  return `$${first + Object.keys(columns).indexOf(name)}`;
}

/** Builds the assignments of all columns in order, from `$<first>` on. */
export function assignments(columns: Columns, first = 1): string {
  return Object.entries(columns)
    .map(([name, type], index) => `"${name}" = ${placeholder(type, first + index)}`)
    .join(', ');
}

/** Returns the values for the parameters of `placeholders` and `assignments`. */
export function parameters<Table extends Columns>(
  columns: Table,
  values: Readonly<Record<keyof Table & string, unknown>>,
): unknown[] {
  return Object.keys(columns).map((name: keyof Table & string) => values[name]);
}

function jsonValue(name: string, type: string): string {
  if (type === 'time') return seconds(name);
  return type === 'bytea' ? `encode("${name}", 'base64')` : `"${name}"`;
}

function seconds(name: string): string {
  return `extract(epoch FROM "${name}")::float8`;
}

function placeholder(type: string, number: number): string {
  return type === 'time' ? `to_timestamp($${number})` : `$${number}::${type}`;
}
