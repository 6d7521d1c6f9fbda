/** Why a token was not accepted; for the log, never for the caller. */
export type JoseFailureReason =
  | 'too_long'
  | 'malformed'
  | 'algorithm'
  | 'type'
  | 'key'
  | 'signature'
  | 'decryption'
  | 'claims';

/**
 * A token, or a key that came with it, cannot be used. The only failure of JOSE operations on untrusted input:
 * cryptographic libraries throw many kinds of errors for a hostile key, and none of them is an internal error.
 */
export class JoseFailure extends Error {
  override readonly name = 'JoseFailure';
  readonly reason: JoseFailureReason;

  constructor(reason: JoseFailureReason, detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
