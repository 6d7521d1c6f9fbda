/** Parsed `application/x-www-form-urlencoded` fields: every name once, every value a string. */
export type UrlEncodedFields = Readonly<Record<string, string>>;

/**
 * Parses an `application/x-www-form-urlencoded` text strictly. Returns `undefined` if a name repeats (forbidden by RFC
 * 6749 sections 3.1 and 3.2), a percent sequence is malformed or not UTF-8, there is a NUL, or there are more than
 * `maxParameters` pairs. The result has no prototype members. A pair without `=` has an empty value; empty pairs are
 * skipped.
 */
export function parseUrlEncoded(text: string, maxParameters: number): UrlEncodedFields | undefined {
  const isEncoded = text.includes('%') || text.includes('+');
  if (text.includes('\0') || (isEncoded && text.includes('%00'))) return undefined;
  const fields = new Fields();
  let count = 0;
  for (let start = 0; start < text.length; ) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) {
      count += 1;
      const pair = text.slice(start, end);
      if (count > maxParameters || !addPair(fields, pair, isEncoded)) return undefined;
    }
    start = end + 1;
  }
  return fields;
}

/**
 * An object without inherited members. A constructor makes it fast; `Object.create(null)` would be a slow dictionary.
 */
const Fields = function Fields() {} as unknown as new () => Record<string, string>;
Fields.prototype = Object.freeze(Object.create(null));

/** Returns the fields without empty values; the same object if there are none. */
export function withoutEmptyValues(fields: UrlEncodedFields): UrlEncodedFields {
  for (const name in fields) if (fields[name] === '') return filledFields(fields);
  return fields;
}

function filledFields(fields: UrlEncodedFields): UrlEncodedFields {
  const filled = new Fields();
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined && value !== '') filled[name] = value;
  }
  return filled;
}

function addPair(fields: Record<string, string>, pair: string, isEncoded: boolean): boolean {
  const equals = pair.indexOf('=');
  const rawName = equals === -1 ? pair : pair.slice(0, equals);
  const rawValue = equals === -1 ? '' : pair.slice(equals + 1);
  const name = isEncoded ? decode(rawName) : rawName;
  const value = isEncoded ? decode(rawValue) : rawValue;
  if (name === undefined || value === undefined || name in fields) return false;
  fields[name] = value;
  return true;
}

function decode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}

const MAX_QUERY_PARAMETERS = 50;

/** Marks a query that is malformed or ambiguous. Routes that declare a query refuse it. */
export const MALFORMED_QUERY: UrlEncodedFields = Object.freeze({});

/** Parses a query string as strictly as a form. The router cannot report a failure here, so a marker is returned. */
export function parseQuery(text: string): UrlEncodedFields {
  return text.length === 0 ? {} : (parseUrlEncoded(text, MAX_QUERY_PARAMETERS) ?? MALFORMED_QUERY);
}
