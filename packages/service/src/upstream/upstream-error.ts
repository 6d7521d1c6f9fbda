/**
 * Why a login at another OpenID provider failed.
 *
 * - `unreachable`: no response in time, or one that is not HTTP within the limits
 * - `refused`: the provider responded to the authorization request with an error
 * - `response`: a response of the provider is not what OpenID Connect defines, or a check of it failed
 * - `stale_login`: the end-user did not authenticate as recently as the client requires
 */
export type UpstreamFailure = 'unreachable' | 'refused' | 'response' | 'stale_login';

/** A failed login at another OpenID provider. It contains no token, no code and no claim. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly reason: UpstreamFailure;
  /**
   * The `error` of the provider (RFC 6749 section 4.1.2.1), the code of the check that failed, or the reason why it
   * cannot be reached.
   */
  readonly code: string | undefined;

  constructor(reason: UpstreamFailure, code?: string) {
    super(code === undefined ? reason : `${reason}: ${code}`);
    this.reason = reason;
    this.code = code;
  }
}
