import { type JsonLimits, type JsonValue, parseJson } from '@vestibule/protocol';
import type { Egress } from './egress.js';

/** A JSON document that is wanted. */
export interface JsonDocumentRequest {
  readonly url: string;
  /** The media types that are taken, the preferred one first. */
  readonly mediaTypes: readonly string[];
  readonly limits: JsonLimits;
  /** Called where there is no room to ask, which says nothing about the address; what it throws is thrown. */
  readonly onOverload?: () => never;
}

/** The largest document, in bytes: 64 KiB. */
const MAX_BYTES = 65_536;

/** The JSON value at an address, `undefined` when there is none that may be had. */
export async function fetchJson(
  egress: Pick<Egress, 'fetchDocument'>,
  { url, mediaTypes, limits, onOverload }: JsonDocumentRequest,
): Promise<JsonValue | undefined> {
  const accept = mediaTypes.join(', ');
  const response = await egress.fetchDocument({ url, accept, mediaTypes, maxBytes: MAX_BYTES });
  if (response.outcome === 'failed') return response.reason === 'overloaded' ? onOverload?.() : undefined;
  try {
    return parseJson(response.text, limits);
  } catch {
    // Malformed is one more way of not being there.
    return undefined;
  }
}
