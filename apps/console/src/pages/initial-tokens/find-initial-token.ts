import type { ListedInitialToken } from '@vestibule/database';
import { DomainError } from '@vestibule/protocol';
import type { InitialTokensDeps } from './initial-tokens-deps.js';

/**
 * Finds the token of a short identifier; `undefined` if there is none any more.
 * @throws DomainError `invalid_request` if several tokens have it
 */
export async function findInitialToken(
  { store }: InitialTokensDeps,
  shortId: string,
): Promise<ListedInitialToken | undefined> {
  const [token, ...others] = await store.database.listedInitialTokens.findByShortId(shortId);
  if (others.length > 0)
    throw new DomainError('invalid_request', 'Several initial access tokens have this identifier.');
  return token;
}

/** The error of a token that does not exist, or not any more. */
export function noSuchToken(): DomainError {
  return new DomainError('not_found', 'There is no such initial access token, or not any more.');
}
