import { type Digest, findByDigest } from '@vestibule/crypto';
import type { InitialAccessToken } from './initial-access-token.js';
import type { RegistrationAuthorityDeps } from './registration-deps.js';

/** What looking for an initial access token takes. */
export type InitialTokenDeps = Pick<
  RegistrationAuthorityDeps,
  'initialAccessTokens' | 'initialTokenReader' | 'digester'
>;

/** An initial access token, and what it is consumed by. */
export interface FoundInitialToken {
  readonly issued: InitialAccessToken;
  readonly candidates: readonly Digest[];
}

/**
 * The initial access token that a bearer token is, in either form, whether or not it is still usable.
 * @throws KeyEncryptionError when it is none, and may be one under a key for digests that cannot be opened.
 */
export async function findInitialToken(
  { initialAccessTokens, initialTokenReader, digester }: InitialTokenDeps,
  token: string,
): Promise<FoundInitialToken | undefined> {
  const name = token.includes('.') ? await initialTokenReader?.read(token) : undefined;
  const candidates = digester.candidates('initial-access-token', name ?? token);
  const issued = await findByDigest(digester, () => initialAccessTokens.find(candidates));
  return issued && { issued, candidates };
}
