import { parseClientId } from '@vestibule/protocol';
import type { ProviderContext } from 'oidc-provider';
import type { ProviderDeps } from './provider-deps.js';

/** A step around the library's own, as its framework has them. */
export type ProviderStep = (ctx: ProviderContext, next: () => Promise<void>) => Promise<void>;

/**
 * The library revokes what it keeps itself. It refuses self-contained tokens and does not know those that were issued
 * directly: both are revoked here for the client that it has authenticated, so that every token of a client can be
 * revoked at one address (RFC 7009 section 2).
 */
export function revokeBesideLibrary({ revokeOwnToken }: Pick<ProviderDeps, 'revokeOwnToken'>): ProviderStep {
  return async (ctx, next) => {
    await next();
    if (!isAuthenticatedRevocation(ctx)) return;
    const { client, params } = ctx.oidc;
    const clientId = parseClientId(client?.clientId);
    const token = params?.['token'];
    if (clientId === undefined || typeof token !== 'string') return;
    await revokeOwnToken(clientId, token);
    ctx.status = 200;
    ctx.body = '';
  };
}

/** The form of a token is the last thing that the library judges, after the client and the request. */
function isAuthenticatedRevocation({ oidc, status, body }: ProviderContext): boolean {
  if (oidc?.route !== 'revocation') return false;
  return status === 200 || errorOf(body) === 'unsupported_token_type';
}

function errorOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
}
