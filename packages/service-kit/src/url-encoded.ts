/** What an `application/x-www-form-urlencoded` text holds: every name once, every value a string. */
export type UrlEncodedFields = Readonly<Record<string, string>>;

/**
 * Reads an `application/x-www-form-urlencoded` text, strictly: `undefined` when a name repeats (RFC 6749 section 3.1
 * and 3.2 forbid it), a percent sequence is malformed or not UTF-8, a NUL stands anywhere, or there are more than
 * `maxParameters` pairs. The result has no prototype. A pair without `=` has an empty value; empty pairs are skipped.
 */
export function parseUrlEncoded(text: string, maxParameters: number): UrlEncodedFields | undefined {
  if (text.includes('\0') || text.includes('%00')) return undefined;
  const fields: Record<string, string> = Object.create(null);
  let count = 0;
  for (let start = 0; start < text.length; ) {
    const end = endOfPair(text, start);
    if (end > start) {
      count += 1;
      if (count > maxParameters || !addPair(fields, text, start, end)) return undefined;
    }
    start = end + 1;
  }
  return fields;
}

function endOfPair(text: string, start: number): number {
  const ampersand = text.indexOf('&', start);
  return ampersand === -1 ? text.length : ampersand;
}

function addPair(fields: Record<string, string>, text: string, start: number, end: number): boolean {
  const equals = text.indexOf('=', start);
  const nameEnd = equals === -1 || equals > end ? end : equals;
  const name = decode(text.slice(start, nameEnd));
  const value = decode(text.slice(nameEnd + 1, end));
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
