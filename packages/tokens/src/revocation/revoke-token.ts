import type { InitialAccessTokenStore } from '@vestibule/clients/registration';
import type { Digester } from '@vestibule/crypto/data-keys';
import { type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import { statesIssuer } from '../authorization-server-claims.js';
import { whyNotOurs } from '../introspection/why-not-ours.js';
import { initialTokenReader } from '../issuing/read-initial-access-token.js';
import { readSelfContained, type SelfContainedTokenDeps } from '../self-contained-token.js';
import { tokenSyntax } from '../token-syntax.js';
import type { RevocationStore } from './revocation-store.js';

/** Dependencies of revoking tokens. */
export interface TokenRevocationDeps extends SelfContainedTokenDeps {
  readonly digester: Digester;
  readonly revocations: Pick<
    RevocationStore,
    'revokeAccessToken' | 'revokeRefreshToken' | 'revokeSelfContained' | 'revokeUnknown'
  >;
  readonly initialAccessTokens: Pick<InitialAccessTokenStore, 'delete'>;
  /**
   * Called for a JWT that claims to be of this issuer and does not verify as one of its tokens, so that nothing is revoked.
   * The reason is for an operator, never for a caller. Default: not reported.
   */
  readonly onUnverifiedJwt?: ((reason: string) => void) | undefined;
}

/** How long the revocation of an unknown token counts whose expiry is not given, in seconds: 30 days. */
export const UNKNOWN_TOKEN_LIFETIME_SECONDS = 30 * 24 * 60 * 60;

/** What the caller knows of a token. */
export interface RevokedTokenFacts {
  /** When it expires. Of use for an identifier-based token that is not known here. */
  readonly expiresAt?: EpochSeconds | undefined;
}

/**
 * Revokes a token of any kind: an access token of either format, a refresh token with the access tokens of its
 * authorization, or an initial access token of either format. Any other text, and a token that is revoked or expired
 * already, succeeds (RFC 7009 section 2.2). An identifier-based token that is not known stays revoked if it is imported
 * before it expires, or within {@link UNKNOWN_TOKEN_LIFETIME_SECONDS}. When it returns, the revocation is stored.
 * @throws KeyEncryptionError when the token is not found but may be stored under a digest key that cannot be opened
 */
export async function revokeToken(
  deps: TokenRevocationDeps,
  text: string,
  { expiresAt }: RevokedTokenFacts = {},
): Promise<void> {
  const syntax = tokenSyntax(text);
  if (syntax === 'jwt') await revokeJwt(deps, text);
  if (syntax === 'identifier') await revokeIdentifier(deps, text, expiresAt);
}

async function revokeJwt(deps: TokenRevocationDeps, text: string): Promise<void> {
  const token = await readSelfContained(deps, text);
  const now = nowSeconds(deps.clock);
  if (token === undefined) return revokeInitialJwt(deps, text);
  if (now >= token.expiresAt) return;
  await deps.revocations.revokeSelfContained(token.issuer, token.jti, token.expiresAt, now);
}

async function revokeInitialJwt(deps: TokenRevocationDeps, text: string): Promise<void> {
  const { digester, initialAccessTokens } = deps;
  const name = await initialTokenReader(deps).read(text);
  if (name === undefined) return reportUnverified(deps, text);
  await digester.find(
    async (digests) => (await initialAccessTokens.delete(digests('initial-access-token', name))) || undefined,
  );
}

async function reportUnverified(deps: TokenRevocationDeps, text: string): Promise<void> {
  if (deps.onUnverifiedJwt === undefined || !statesIssuer(text, deps.issuer)) return;
  deps.onUnverifiedJwt(await whyNotOurs(deps, text));
}

/** All kinds have the same syntax, but separate digest namespaces, so that the text matches at most one of them. */
async function revokeIdentifier(
  { clock, digester, revocations, initialAccessTokens }: TokenRevocationDeps,
  text: string,
  given: EpochSeconds | undefined,
) {
  const now = nowSeconds(clock);
  const expiresAt = given ?? epochSeconds(now + UNKNOWN_TOKEN_LIFETIME_SECONDS);
  await digester.find(async (digests) => {
    const [access, refresh] = [digests('access-token', text), digests('refresh-token', text)];
    const revokeStored = async () =>
      (await revocations.revokeAccessToken(access)) || (await revocations.revokeRefreshToken(refresh, now));
    const isRevoked =
      (await revokeStored()) || (await initialAccessTokens.delete(digests('initial-access-token', text)));
    if (isRevoked) return true;
    if (expiresAt <= now) return undefined;
    if (await revocations.revokeUnknown({ digests: [access, refresh], expiresAt }, now)) return undefined;
    // It may have been imported since.
    return (await revokeStored()) || undefined;
  });
}
