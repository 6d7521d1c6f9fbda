import { parsePublicJwks, selectVerificationKeys } from '@vestibule/crypto/public-keys';
import { parseClientId, parseIssuer, systemClock } from '@vestibule/protocol';
import { tokenSyntax } from '@vestibule/tokens';
import { type IntrospectionDeps, introspect } from '@vestibule/tokens/introspection';

/** The expected issuer, and the caller. */
export interface TokenInspection {
  readonly issuer: string;
  /** The key set that the issuer publishes. */
  readonly jwks: unknown;
  /** The client identifier of the resource server. */
  readonly caller: string;
}

/**
 * The introspection response to a self-contained token, and the reason: everything except revocations, which only the
 * store knows.
 */
export async function inspectToken(token: string, request: TokenInspection): Promise<object> {
  const syntax = tokenSyntax(token);
  if (syntax !== 'jwt') return { syntax, reason: 'only a self-contained token can be read offline' };
  const clientId = parseClientId(request.caller);
  if (clientId === undefined) throw new TypeError('no client can have this identifier');
  const { decision, response } = await introspect(depsOf(request), {
    token,
    caller: { clientId },
    revoke: false,
  });
  return { syntax, response, ...(!decision.active && { reason: decision.reason }) };
}

function depsOf({ issuer, jwks }: TokenInspection): IntrospectionDeps {
  const keys = parsePublicJwks(jwks);
  if (!keys.ok) throw new TypeError(keys.reason);
  return {
    clock: systemClock,
    issuer: parseIssuer(issuer),
    keys: { verificationKeys: async (hint) => selectVerificationKeys(keys.jwks, hint) },
    revocations: { statuses: async (tokens) => tokens.map(() => ({ isRevoked: false })) },
    accessTokens: { find: async () => undefined, claim: async () => undefined },
    digester: {
      digest: noStore,
      availableDigests: noStore,
      find: noStore,
      matches: noStore,
      matchesAvailable: noStore,
    },
    pruneAudience: false,
  };
}

function noStore(): never {
  throw new TypeError('there is no store to look anything up in');
}
