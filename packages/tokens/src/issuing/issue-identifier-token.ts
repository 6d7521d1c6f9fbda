import { randomAlphanumeric } from '@vestibule/crypto';
import type { Digester } from '@vestibule/crypto/data-keys';
import { type Clock, DomainError, type Issuer, type RandomSource } from '@vestibule/protocol';
import type { AccessTokenStore } from '../access-token-store.js';
import { type AccessTokenGrant, grantedToken, type IssuedAccessToken } from './access-token-grant.js';

/** Fewest characters of a token that is issued: 43 alphanumeric characters contain 256 bits. */
const MIN_LENGTH = 43;
/** Most characters of a token that is issued. */
const MAX_LENGTH = 256;

/** Why a token is not stored. With a session, either reason is possible. */
const NOT_STORED = {
  client: 'client_id: is not a registered client',
  session: 'sid: is a session that has ended, or client_id is not a registered client',
};

/** Dependencies of issuing identifier-based access tokens. */
export interface IdentifierTokenDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly random: RandomSource;
  readonly digester: Digester;
  readonly accessTokens: Pick<AccessTokenStore, 'insert'>;
  /** Length of a token in characters, from 43 (256 bits) to 256. */
  readonly tokenLength: number;
}

/**
 * Issues an identifier-based access token: a random text, whose state is stored under its digest. The text itself is
 * not stored. When it returns, the token is active on every instance.
 *
 * @throws DomainError `invalid_request` when the grant is invalid, its client does not exist or its session has ended
 */
export async function issueIdentifierToken(
  deps: IdentifierTokenDeps,
  grant: AccessTokenGrant,
): Promise<IssuedAccessToken> {
  const state = grantedToken(deps, grant);
  const accessToken = randomTokenText(deps.random, deps.tokenLength);
  const stored = await deps.accessTokens.insert(deps.digester.digest('access-token', accessToken), state);
  if (!stored)
    throw new DomainError(
      'invalid_request',
      NOT_STORED[state.sessionId === undefined ? 'client' : 'session'],
    );
  return { accessToken, state };
}

/**
 * Generates the text of an identifier-based token.
 * @throws RangeError when the length is out of bounds
 */
export function randomTokenText(random: RandomSource, length: number): string {
  if (length < MIN_LENGTH || length > MAX_LENGTH)
    throw new RangeError('the length of a token must be from 43 to 256 characters');
  return randomAlphanumeric(length, random);
}
