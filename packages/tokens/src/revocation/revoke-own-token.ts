import type { Digester } from '@vestibule/crypto/data-keys';
import { type ClientId, nowSeconds } from '@vestibule/protocol';
import type { AccessTokenStore } from '../access-token-store.js';
import { readSelfContained, type SelfContainedTokenDeps } from '../self-contained-token.js';
import { tokenSyntax } from '../token-syntax.js';
import type { RevocationStore } from './revocation-store.js';

/** Dependencies of revoking a client's own tokens. */
export interface OwnTokenRevocationDeps extends SelfContainedTokenDeps {
  readonly digester: Digester;
  readonly accessTokens: Pick<AccessTokenStore, 'find'>;
  readonly revocations: Pick<
    RevocationStore,
    'revokeAccessToken' | 'revokeSelfContained' | 'refreshTokenOwner' | 'revokeRefreshToken'
  >;
}

/**
 * Revokes an access token of either format, or a refresh token, that was issued to this client. Any other text, such as
 * the token of another client, changes nothing and cannot be distinguished (RFC 7009 sections 2.1 and 2.2). When it
 * returns, the revocation is stored.
 * @returns false for an identifier-based token that is not found. Call it within `Digester.find`: the token may be of
 *   another kind, or under a digest key that cannot be opened.
 */
export async function revokeOwnToken(
  deps: OwnTokenRevocationDeps,
  owner: ClientId,
  text: string,
): Promise<boolean> {
  switch (tokenSyntax(text)) {
    case 'jwt':
      await revokeOwnJwt(deps, owner, text);
      return true;
    case 'identifier':
      return revokeOwnIdentifier(deps, owner, text);
    case 'impossible':
      return true;
  }
}

async function revokeOwnJwt(deps: OwnTokenRevocationDeps, owner: ClientId, text: string): Promise<void> {
  const token = await readSelfContained(deps, text);
  const now = nowSeconds(deps.clock);
  if (token === undefined || token.clientId !== owner || now >= token.expiresAt) return;
  await deps.revocations.revokeSelfContained(token.issuer, token.jti, token.expiresAt, now);
}

async function revokeOwnIdentifier(
  deps: OwnTokenRevocationDeps,
  owner: ClientId,
  text: string,
): Promise<boolean> {
  const { digester, accessTokens, revocations } = deps;
  const digests = digester.availableDigests('access-token', text);
  const token = await accessTokens.find(digests);
  if (token === undefined) return revokeOwnRefreshToken(deps, owner, text);
  if (token.clientId === owner) await revocations.revokeAccessToken(digests);
  return true;
}

async function revokeOwnRefreshToken(
  { digester, revocations, clock }: OwnTokenRevocationDeps,
  owner: ClientId,
  text: string,
): Promise<boolean> {
  const digests = digester.availableDigests('refresh-token', text);
  const found = await revocations.refreshTokenOwner(digests);
  if (found === owner) await revocations.revokeRefreshToken(digests, nowSeconds(clock));
  return found !== undefined;
}
