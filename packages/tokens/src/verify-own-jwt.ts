import { JoseFailure, type VerificationKeySource, type VerifiedJwt, verifyJwt } from '@vestibule/crypto/jwt';
import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';
import { JWT_MAX_LENGTH } from './token-syntax.js';

/**
 * Verifies a JWT of one type that was signed with one of the issuer's keys, and no other kind of JWT (RFC 8725 section
 * 3.11). `undefined` for everything else. Does not check the claims. Rejects when the keys cannot be read.
 */
export async function verifyOwnJwt(
  { verificationKeys }: { readonly verificationKeys: VerificationKeySource },
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
