import { decodeUnverifiedJwt, JoseFailure } from '@vestibule/crypto/jwt';
import { FederationFailure } from '../federation-failure.js';
import type { UnverifiedStatement } from './entity-statement.js';

/** Maximum length of an accepted statement, in characters. */
export const MAX_STATEMENT_LENGTH = 65_536;

/**
 * Decodes a statement without verifying anything.
 * @throws FederationFailure `malformed_statement`.
 */
export function decodeStatement(
  token: string,
  maxLength: number = MAX_STATEMENT_LENGTH,
): UnverifiedStatement {
  try {
    const { header, claims } = decodeUnverifiedJwt(token, maxLength);
    const decoded: Pick<UnverifiedStatement, 'token' | 'header' | 'claims'> = { token, header, claims };
    return decoded as UnverifiedStatement;
  } catch (cause) {
    if (cause instanceof JoseFailure)
      throw new FederationFailure('malformed_statement', cause.message, cause);
    throw cause;
  }
}
