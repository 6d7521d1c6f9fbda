import { type JsonLimits, type JsonValue, parseJson } from '@vestibule/protocol/json';
import type { Egress } from './egress.js';

/** A request for a JSON document. */
export interface JsonDocumentRequest {
  readonly url: string;
  /** Accepted media types, the preferred one first. */
  readonly mediaTypes: readonly string[];
  readonly limits: JsonLimits;
  /** Deadline in milliseconds. Default: the deadline of the {@link Egress}. */
  readonly deadlineMs?: number;
  /** Called on `overloaded`, which says nothing about the address. Its error is thrown. */
  readonly onOverload?: () => never;
}

/** Largest document in bytes: 64 KiB. */
const MAX_BYTES = 65_536;

/** Fetches a JSON document; `undefined` on every failure. */
export async function fetchJson(
  egress: Pick<Egress, 'fetchDocument'>,
  { mediaTypes, limits, onOverload, ...request }: JsonDocumentRequest,
): Promise<JsonValue | undefined> {
  const accept = mediaTypes.join(', ');
  const response = await egress.fetchDocument({ ...request, accept, mediaTypes, maxBytes: MAX_BYTES });
  if (response.outcome === 'failed') return response.reason === 'overloaded' ? onOverload?.() : undefined;
  try {
    return parseJson(response.text, limits);
  } catch {
    // Malformed JSON is treated like a missing document.
    return undefined;
  }
}
