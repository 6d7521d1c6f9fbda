/** Why it cannot be determined whether a token is active. */
export type IntrospectionFailureReason =
  /** 401: the credentials of this API are wrong. */
  | 'credentials_refused'
  /** 403: the client of this API may not introspect. */
  | 'not_permitted'
  /** 429: too many requests, or too many about tokens that are not active. */
  | 'rate_limited'
  /** Another status than 200. */
  | 'status'
  /** All connections were busy, and too many requests waited for one, or this one for too long. */
  | 'overloaded'
  /** No response in time. */
  | 'timeout'
  /** No connection, or one that broke. */
  | 'connection'
  /** A response that is too large, or not what RFC 7662 or RFC 9701 defines. */
  | 'malformed_response'
  /** A signed response that cannot be verified. */
  | 'signature'
  /** The metadata of the authorization server cannot be read. */
  | 'discovery'
  /** An error of this package or of a function that was passed to it. */
  | 'internal';

/** It cannot be determined whether a token is active. The message is for operators and quotes no token or secret. */
export class IntrospectionFailure extends Error {
  override readonly name = 'IntrospectionFailure';
  readonly reason: IntrospectionFailureReason;
  /** `Retry-After` of the response. */
  readonly retryAfterSeconds: number | undefined;

  constructor(reason: IntrospectionFailureReason, message: string, retryAfterSeconds?: number) {
    super(message);
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
