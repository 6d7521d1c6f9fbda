/**
 * Why a request brought nothing. For logs and metrics only: whoever caused the request must not be able to tell these
 * apart, by status, text or time, or it becomes a scanner of our network. `overloaded` alone may be told: it is about
 * us.
 *
 * - `blocked`: the URL or an address behind it is not allowed; nothing was sent
 * - `overloaded`: no room before the deadline; nothing was sent
 * - `unresolvable`: the name has no address, or its servers do not answer
 * - `refused`: no connection to any of the addresses
 * - `tls`: no trusted connection
 * - `timeout`: the deadline passed
 * - `aborted`: the caller gave up
 * - `protocol`: the connection broke, or what came is not HTTP within the limits
 * - `redirect`: a status of 3xx; never followed
 * - `status`: another status than success
 * - `media_type`: missing, repeated, or not one of those asked for
 * - `encoding`: compressed, or not UTF-8
 * - `too_large`: more bytes than asked for
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

/** A request that brought nothing. */
export interface EgressFailure {
  readonly outcome: 'failed';
  readonly reason: EgressFailureReason;
  /** The HTTP status, for `redirect` and `status` and the failures after a good status. */
  readonly status: number | undefined;
  /** Seconds that the other side asks to wait (RFC 9110 section 10.2.3), a day at most. */
  readonly retryAfterSeconds: number | undefined;
  /** A code for the log, such as `ECONNREFUSED` or `port`; never text from the other side. */
  readonly detail: string | undefined;
}

/** A document that came whole: status 200, one of the wanted media types, within the size, valid UTF-8. */
export interface EgressDocument {
  readonly outcome: 'ok';
  readonly status: 200;
  /** One of the wanted media types, without parameters, in lower case. */
  readonly mediaType: string;
  /** The content. Comes from a stranger: parse it as such. */
  readonly text: string;
}

/** The other side took the message: a status of 2xx. */
export interface EgressAcceptance {
  readonly outcome: 'ok';
  readonly status: number;
}

/** What became of {@link Egress.fetchDocument}. */
export type EgressOutcome = EgressDocument | EgressFailure;

/** What became of {@link Egress.post}. */
export type EgressPostOutcome = EgressAcceptance | EgressFailure;
