import { parseUrlEncoded, type UrlEncodedFields } from './url-encoded.js';

const MAX_QUERY_PARAMETERS = 50;

/** Stands for a query that cannot be read in one way only; a route that declares a query refuses it. */
export const MALFORMED_QUERY: UrlEncodedFields = Object.freeze({});

/** Reads a query string as strictly as a form; the router cannot fail here, so the marker says what went wrong. */
export function parseQuery(text: string): UrlEncodedFields {
  return text.length === 0 ? {} : (parseUrlEncoded(text, MAX_QUERY_PARAMETERS) ?? MALFORMED_QUERY);
}
