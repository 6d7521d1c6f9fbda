import type { Digester } from '@vestibule/crypto/data-keys';
import { type ClientId, parseClientId } from '@vestibule/protocol';

/** Dependencies of {@link revokeBesideLibrary}. */
export interface RevocationBesideDeps {
  readonly digester: Pick<Digester, 'find'>;
  /** Revokes an access token if it was issued to this client; false if the identifier is not an access token. */
  readonly revokeOwnToken: (owner: ClientId, token: string) => Promise<boolean>;
}

/** The part of the library's request context that is used; the library has no types of its own. */
export interface RevocationContext {
  readonly oidc: {
    readonly route: string;
    readonly client?: { readonly clientId: string };
    readonly params?: Readonly<Record<string, unknown>>;
    readonly entities: Readonly<Record<string, unknown>>;
  };
  status: number;
  body: unknown;
}

/** A middleware around those of the library. */
export type RevocationStep = (ctx: RevocationContext, next: () => Promise<void>) => Promise<void>;

/**
 * The library revokes only tokens that it stores itself. It refuses self-contained tokens and does not know those that
 * were issued directly. Both are revoked here for the client that it has authenticated, so that every token of a client
 * can be revoked at one endpoint (RFC 7009 section 2). The middleware throws `KeyEncryptionError` for a token that
 * neither knows while it may be under a digest key that cannot be decrypted.
 */
export function revokeBesideLibrary({ revokeOwnToken, digester }: RevocationBesideDeps): RevocationStep {
  return async (ctx, next) => {
    // The library's lookups belong to this one: it may not have used a key that becomes available meanwhile.
    const outcome = await digester.find(async () => {
      await next();
      if (!isAuthenticatedRevocation(ctx)) return 'another request';
      const { client, params } = ctx.oidc;
      const clientId = parseClientId(client?.clientId);
      const token = params?.['token'];
      if (clientId === undefined || typeof token !== 'string') return 'another request';
      const isRevoked = isKnownToLibrary(ctx) || (await revokeOwnToken(clientId, token));
      return isRevoked ? 'revoked' : undefined;
    });
    if (outcome === 'another request') return;
    ctx.status = 200;
    ctx.body = '';
  };
}

/** The library checks the form of a token last, after the client and the request. */
function isAuthenticatedRevocation({ oidc, status, body }: RevocationContext): boolean {
  if (oidc?.route !== 'revocation') return false;
  return status === 200 || errorOf(body) === 'unsupported_token_type';
}

function isKnownToLibrary({ oidc: { entities } }: RevocationContext): boolean {
  return ['AccessToken', 'ClientCredentials', 'RefreshToken'].some((kind) => entities[kind] !== undefined);
}

function errorOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
}
