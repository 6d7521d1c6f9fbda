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
 * A token, or a key that came with one, cannot be used. The one way in which JOSE operations fail for what others sent:
 * an attacker's key makes cryptographic libraries throw errors of many kinds, and none of them is a fault of ours.
 */
export class JoseFailure extends Error {
  override readonly name = 'JoseFailure';
  readonly reason: JoseFailureReason;

  constructor(reason: JoseFailureReason, detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
