import { parseUrlEncoded, type UrlEncodedFields } from '../bodies/url-encoded.js';

const MAX_QUERY_PARAMETERS = 50;

/** Marks a query that is malformed or ambiguous. Routes that declare a query refuse it. */
export const MALFORMED_QUERY: UrlEncodedFields = Object.freeze({});

/** Parses a query string as strictly as a form. The router cannot report a failure here, so a marker is returned. */
export function parseQuery(text: string): UrlEncodedFields {
  return text.length === 0 ? {} : (parseUrlEncoded(text, MAX_QUERY_PARAMETERS) ?? MALFORMED_QUERY);
}
