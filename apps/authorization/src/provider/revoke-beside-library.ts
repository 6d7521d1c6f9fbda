import { requireEveryKey } from '@vestibule/crypto';
import { parseClientId } from '@vestibule/protocol';
import type { ProviderContext } from 'oidc-provider';
import type { ProviderDeps } from './provider-deps.js';

/** A step around the library's own, as its framework has them. */
export type ProviderStep = (ctx: ProviderContext, next: () => Promise<void>) => Promise<void>;

/**
 * The library revokes what it keeps itself. It refuses self-contained tokens and does not know those that were issued
 * directly: both are revoked here for the client that it has authenticated, so that every token of a client can be
 * revoked at one address (RFC 7009 section 2). The step throws `KeyEncryptionError` for what neither knows while it may
 * be under a key for digests that cannot be opened.
 */
export function revokeBesideLibrary({
  revokeOwnToken,
  digester,
}: Pick<ProviderDeps, 'revokeOwnToken' | 'digester'>): ProviderStep {
  return async (ctx, next) => {
    // Before anyone looks: a key that is learnt meanwhile is one that they may not have looked under.
    const hasEveryKey = digester.hasEveryKey();
    await next();
    if (!isAuthenticatedRevocation(ctx)) return;
    const { client, params } = ctx.oidc;
    const clientId = parseClientId(client?.clientId);
    const token = params?.['token'];
    if (clientId === undefined || typeof token !== 'string') return;
    const isTold = isKnownToLibrary(ctx) || (await revokeOwnToken(clientId, token));
    requireEveryKey(isTold || hasEveryKey);
    ctx.status = 200;
    ctx.body = '';
  };
}

/** The form of a token is the last thing that the library judges, after the client and the request. */
function isAuthenticatedRevocation({ oidc, status, body }: ProviderContext): boolean {
  if (oidc?.route !== 'revocation') return false;
  return status === 200 || errorOf(body) === 'unsupported_token_type';
}

function isKnownToLibrary({ oidc: { entities } }: ProviderContext): boolean {
  return ['AccessToken', 'ClientCredentials', 'RefreshToken'].some((kind) => entities[kind] !== undefined);
}

function errorOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
}
