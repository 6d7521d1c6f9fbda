import { JoseFailure, type KeyRing, type VerifiedJwt, verifyJwt } from '@vestibule/crypto';
import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol';
import { JWT_MAX_LENGTH } from './token-syntax.js';

/**
 * A JWT of one type that a key of ours signed; no other kind of JWT passes for it (RFC 8725 section 3.11). `undefined`
 * for everything else. Says nothing about its claims. A fault in finding the keys propagates.
 */
export async function verifyOwnJwt(
  { verificationKeys }: Pick<KeyRing, 'verificationKeys'>,
  text: string,
  type: string,
): Promise<VerifiedJwt | undefined> {
  try {
    return await verifyJwt(text, {
      keys: verificationKeys,
      algorithms: ASYMMETRIC_ALGORITHMS,
      types: [type],
      maxLength: JWT_MAX_LENGTH,
    });
  } catch (error) {
    if (error instanceof JoseFailure) return undefined;
    throw error;
  }
}
