import type { DocumentSource } from '@vestibule/clients/metadata-documents';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import type { Egress } from './egress.js';
import type { EgressFailure } from './outcome.js';

/** Options of {@link clientDocumentSource}. */
export interface ClientDocumentSourceOptions {
  /** Largest document, in bytes. The draft recommends 5 KB (section 8.7). */
  readonly maxBytes: number;
  /** Deadline of a fetch in milliseconds. Default: the deadline of the {@link Egress}. */
  readonly deadlineMs?: number;
}

/** `application/json`, or a more specific type of the application (RFC 6839 section 3.1). */
const JSON_TYPE = /^application\/(?:json|[a-z0-9!#$&^_.+-]+\+json)$/;

/** The statuses with which a host says that there is no document. */
const MISSING: readonly (number | undefined)[] = [404, 410];

/**
 * Creates the source of client ID metadata documents: status 200, JSON, one request without redirects
 * (draft-ietf-oauth-client-id-metadata-document-03 section 5).
 */
export function clientDocumentSource(
  egress: Pick<Egress, 'fetchCacheable'>,
  options: ClientDocumentSourceOptions,
): DocumentSource {
  return {
    fetch: async (url, validators) => {
      const response = await egress.fetchCacheable({
        url,
        accept: MEDIA_TYPE.json,
        isAccepted: (mediaType) => JSON_TYPE.test(mediaType),
        validators,
        ...options,
      });
      if (response.outcome === 'failed') return failureOf(response);
      const { caching } = response;
      return response.status === 304
        ? { outcome: 'unchanged', caching }
        : { outcome: 'fetched', text: response.text, caching };
    },
  };
}

function failureOf(failure: EgressFailure) {
  const { reason, status, detail } = failure;
  if (reason === 'overloaded') return { outcome: 'overloaded' } as const;
  const isMissing = reason === 'status' && MISSING.includes(status);
  const parts = [reason, status, detail].filter((part) => part !== undefined);
  return { outcome: isMissing ? 'missing' : 'failed', detail: parts.join(' ') } as const;
}
