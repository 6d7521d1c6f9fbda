import {
  authenticationFacts,
  type PairwiseSubjects,
  type TokenFacts,
} from '@vestibule/oidc-provider-adapter';
import { isJsonObject, type JsonObject } from '@vestibule/protocol/json';
import type { ProviderContext, ProviderGrant, ProviderToken, RequestedClaims } from 'oidc-provider';
import { TOKEN_CLAIM_PREFIX } from './claims.js';
import type { ProviderDeps } from './provider-deps.js';

/**
 * The library's hook `extraTokenClaims`: the facts about a token that introspection returns and the library does not
 * know. A token without an end-user has none.
 */
export function tokenFacts({ issuer, interaction }: ProviderDeps, pairwise: PairwiseSubjects) {
  return async (ctx: ProviderContext, token: ProviderToken): Promise<TokenFacts | undefined> => {
    const { accountId, client } = token;
    // The library does not accept a token with an audience at its own endpoints.
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

/** The parameter `claims` of the authorization request. */
function requestedClaims({ oidc }: ProviderContext): RequestedClaims | undefined {
  const { AuthorizationCode: code, RefreshToken: refreshToken } = oidc.entities;
  const source = code ?? refreshToken;
  return source === undefined ? oidc.claims : source.claims;
}

/** The claims that were requested for an access token, consented to, and that exist. */
function consentedClaims(
  requested: RequestedClaims | undefined,
  grant: ProviderGrant | undefined,
  known: JsonObject,
): JsonObject | undefined {
  const names = Object.keys({ ...requested?.userinfo, ...requested?.id_token });
  const wanted = new Set(names.filter((name) => name.startsWith(TOKEN_CLAIM_PREFIX)));
  const consented =
    grant?.getOIDCClaimsFiltered(wanted).map((name) => name.slice(TOKEN_CLAIM_PREFIX.length)) ?? [];
  const present = consented.filter((name) => known[name] !== undefined);
  if (present.length === 0) return undefined;
  return Object.fromEntries(present.map((name) => [name, known[name]])) as JsonObject;
}
