import type { DocumentUrl } from './document-url.js';

/** Validators of a stored document (RFC 9110 section 8.8). */
export interface DocumentValidators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** What the headers of a document say about storing it. */
export interface DocumentCaching extends DocumentValidators {
  /** Absent if the headers do not say. */
  readonly lifetimeSeconds?: number;
}

/** The outcome of a fetch. */
export type DocumentFetch =
  | { readonly outcome: 'fetched'; readonly text: string; readonly caching: DocumentCaching }
  /** The stored document is still current. */
  | { readonly outcome: 'unchanged'; readonly caching: DocumentCaching }
  /** The host says that there is no document (status 404 or 410). */
  | { readonly outcome: 'missing'; readonly detail: string }
  /** Anything else. `detail` is for operators and never repeats what the host sent. */
  | { readonly outcome: 'failed'; readonly detail: string }
  /** This server has no capacity at the moment, which says nothing about the document. */
  | { readonly outcome: 'overloaded' };

/** Fetches client ID metadata documents: by GET, without following redirects, within limits of time and size. */
export interface DocumentSource {
  /** Fetches a document. Never rejects. */
  fetch(url: DocumentUrl, validators: DocumentValidators): Promise<DocumentFetch>;
}
