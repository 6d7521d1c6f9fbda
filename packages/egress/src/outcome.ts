import type { ResponseCaching } from './cache-headers.js';

/**
 * Why a request failed. For logs and metrics only: the party that caused the request must not be able to tell the
 * reasons apart, by status, text or time, or it could scan the internal network. Only `overloaded` may be revealed,
 * because it says nothing about the address.
 *
 * - `blocked`: the URL or an address behind it is not allowed; nothing was sent
 * - `overloaded`: no free slot before the deadline; nothing was sent
 * - `unresolvable`: the name has no address, or its name servers do not respond
 * - `refused`: no connection to any of the addresses
 * - `tls`: no trusted TLS connection
 * - `timeout`: the deadline passed
 * - `aborted`: the caller aborted
 * - `protocol`: the connection was lost, or the response is not HTTP within the limits
 * - `redirect`: status 3xx; never followed
 * - `status`: any other status that is not a success
 * - `media_type`: missing, repeated, or not an accepted one
 * - `encoding`: compressed, or not UTF-8
 * - `too_large`: more than `maxBytes`
 */
export type EgressFailureReason =
  | 'blocked'
  | 'overloaded'
  | 'unresolvable'
  | 'refused'
  | 'tls'
  | 'timeout'
  | 'aborted'
  | 'protocol'
  | 'redirect'
  | 'status'
  | 'media_type'
  | 'encoding'
  | 'too_large';

/** A failed request. */
export interface EgressFailure {
  readonly outcome: 'failed';
  readonly reason: EgressFailureReason;
  /** The HTTP status, for `redirect` and `status` and the failures after a good status. */
  readonly status: number | undefined;
  /** Seconds from the `Retry-After` header (RFC 9110 section 10.2.3), at most a day. */
  readonly retryAfterSeconds: number | undefined;
  /** A code for logs, such as `ECONNREFUSED` or `port`; never text from the remote server. */
  readonly detail: string | undefined;
}

/** A complete document: status 200, an accepted media type, within the size limit, valid UTF-8. */
export interface EgressDocument {
  readonly outcome: 'ok';
  readonly status: 200;
  /** The accepted media type, without parameters, in lower case. */
  readonly mediaType: string;
  /** The content. It is untrusted input. */
  readonly text: string;
}

/** A complete document with what its headers say about storing it. */
export interface EgressCacheableDocument extends EgressDocument {
  readonly caching: ResponseCaching;
}

/** The stored document is still current: status 304 for a request with validators. */
export interface EgressNotModified {
  readonly outcome: 'ok';
  readonly status: 304;
  readonly caching: ResponseCaching;
}

/** Outcome of {@link Egress.fetchCacheable}. */
export type EgressCacheableOutcome = EgressCacheableDocument | EgressNotModified | EgressFailure;

/** A delivered message: status 2xx. */
export interface EgressAcceptance {
  readonly outcome: 'ok';
  readonly status: number;
}

/** Outcome of {@link Egress.fetchDocument}. */
export type EgressOutcome = EgressDocument | EgressFailure;

/** Outcome of {@link Egress.post}. */
export type EgressPostOutcome = EgressAcceptance | EgressFailure;
