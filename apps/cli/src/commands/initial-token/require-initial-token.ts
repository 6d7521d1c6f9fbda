import type { ListedInitialToken, ListedInitialTokens } from '@vestibule/database';
import { type CommandFailure, conflict, notFound } from '../../frame/command-failure.js';

/** The one token of a short identifier. @throws CommandFailure when there is none, or several */
export async function requireInitialToken(
  tokens: Pick<ListedInitialTokens, 'findByShortId'>,
  id: string,
): Promise<ListedInitialToken> {
  const [token, ...others] = await tokens.findByShortId(id);
  if (token === undefined) throw noSuchToken();
  if (others.length > 0) throw conflict('Several initial access tokens have that identifier.');
  return token;
}

/** Why nothing is done with a token that is not there. */
export function noSuchToken(): CommandFailure {
  return notFound(
    'There is no initial access token with that identifier: see vestibule initial-token list --all.',
  );
}
