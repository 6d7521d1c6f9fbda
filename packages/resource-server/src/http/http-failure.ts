/** Why there is no usable HTTP response. */
export type HttpFailureReason = 'timeout' | 'connection' | 'too_large' | 'encoding' | 'closed';

/** There is no usable HTTP response. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly reason: HttpFailureReason;

  constructor(reason: HttpFailureReason, cause?: unknown) {
    super(`no HTTP response: ${reason}`, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
