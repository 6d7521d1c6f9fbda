import type { Digest } from '@vestibule/crypto/data-keys';
import type { InitialAccessToken } from './initial-access-token.js';
import type { RegistrationAuthorityDeps } from './registration-deps.js';

/** Dependencies of finding an initial access token. */
export type InitialTokenDeps = Pick<
  RegistrationAuthorityDeps,
  'initialAccessTokens' | 'initialTokenReader' | 'digester'
>;

/** An initial access token, and the digests that identify it when it is consumed. */
export interface FoundInitialToken {
  readonly issued: InitialAccessToken;
  readonly candidates: readonly Digest[];
}

/**
 * Finds the initial access token of a bearer token in either format, usable or not.
 * @throws KeyEncryptionError when it is not found but may be under a digest key that cannot be opened.
 */
export async function findInitialToken(
  { initialAccessTokens, initialTokenReader, digester }: InitialTokenDeps,
  token: string,
): Promise<FoundInitialToken | undefined> {
  const name = token.includes('.') ? await initialTokenReader?.read(token) : undefined;
  return digester.find(async (digests) => {
    const candidates = digests('initial-access-token', name ?? token);
    const issued = await initialAccessTokens.find(candidates);
    return issued && { issued, candidates };
  });
}
