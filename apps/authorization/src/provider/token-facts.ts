import {
  authenticationFacts,
  type PairwiseSubjects,
  type TokenFacts,
} from '@vestibule/oidc-provider-adapter';
import { isJsonObject, type JsonObject } from '@vestibule/protocol';
import type { ProviderContext, ProviderGrant, ProviderToken, RequestedClaims } from 'oidc-provider';
import { TOKEN_CLAIM_PREFIX } from './claims.js';
import type { ProviderDeps } from './provider-deps.js';

/**
 * The library's hook `extraTokenClaims`: what introspection answers of a token and the library does not know. A token
 * without an end-user has no such facts.
 */
export function tokenFacts({ issuer, interaction }: ProviderDeps, pairwise: PairwiseSubjects) {
  return async (ctx: ProviderContext, token: ProviderToken): Promise<TokenFacts | undefined> => {
    const { accountId, client } = token;
    // The library takes a token with an audience for one that cannot be used at its own endpoints.
    if (token.aud === issuer) token.aud = undefined;
    if (accountId === undefined || client === undefined) return undefined;
    const isPairwise = client.subjectType === 'pairwise';
    const account = await interaction.accounts.find(accountId);
    const requested = requestedClaims(ctx);
    const { Grant: grant } = ctx.oidc.entities;
    const claims = consentedClaims(requested, grant, account?.claims ?? {});
    return {
      subject: isPairwise ? await pairwise(client.sectorIdentifier, accountId) : accountId,
      ...(account?.username !== undefined && { username: account.username }),
      ...(claims && { claims }),
      ...authenticationFacts(ctx),
      ...(account?.data && { dat: account.data }),
      ...(isJsonObject(requested) && { requested }),
    };
  };
}

/** The parameter `claims` of the authorisation request. */
function requestedClaims({ oidc }: ProviderContext): RequestedClaims | undefined {
  const { AuthorizationCode: code, RefreshToken: refreshToken } = oidc.entities;
  const source = code ?? refreshToken;
  return source === undefined ? oidc.claims : source.claims;
}

/** The claims that were asked for an access token, and consented to, and that there are. */
function consentedClaims(
  requested: RequestedClaims | undefined,
  grant: ProviderGrant | undefined,
  known: JsonObject,
): JsonObject | undefined {
  const asked = Object.keys({ ...requested?.userinfo, ...requested?.id_token });
  const wanted = new Set(asked.filter((name) => name.startsWith(TOKEN_CLAIM_PREFIX)));
  const names =
    grant?.getOIDCClaimsFiltered(wanted).map((name) => name.slice(TOKEN_CLAIM_PREFIX.length)) ?? [];
  const present = names.filter((name) => known[name] !== undefined);
  if (present.length === 0) return undefined;
  return Object.fromEntries(present.map((name) => [name, known[name]])) as JsonObject;
}
