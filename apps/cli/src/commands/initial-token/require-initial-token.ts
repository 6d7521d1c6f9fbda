import type { ListedInitialToken, ListedInitialTokens } from '@vestibule/database';
import { type CommandFailure, conflict, notFound } from '../../frame/command-failure.js';

/**
 * Finds the token of a short identifier.
 * @throws CommandFailure if there is none, or more than one
 */
export async function requireInitialToken(
  tokens: Pick<ListedInitialTokens, 'findByShortId'>,
  id: string,
): Promise<ListedInitialToken> {
  const [token, ...others] = await tokens.findByShortId(id);
  if (token === undefined) throw noSuchToken();
  if (others.length > 0) throw conflict('Several initial access tokens have that identifier.');
  return token;
}

/** Creates the failure for a token that does not exist. */
export function noSuchToken(): CommandFailure {
  return notFound(
    'There is no initial access token with that identifier: see vestibule initial-token list --all.',
  );
}
