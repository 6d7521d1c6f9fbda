import { type Client, findActiveClient, findResourceServer } from '@vestibule/clients';
import type { Issuer } from '@vestibule/protocol';
import { introspectionEndpoint, registrationEndpoint } from '@vestibule/protocol/constants';
import { EMPTY_SCOPE, parseScope, permitsIntrospection } from '@vestibule/scopes';
import { errors, type ProviderClient, type ProviderContext } from 'oidc-provider';
import { OPENID_SCOPES } from './claims.js';
import { fillInScope, permittedScope } from './default-scope.js';
import type { ProviderDeps } from './provider-deps.js';

/** The library's description of a resource server. */
interface ResourceServer {
  readonly scope: string;
  readonly audience: string;
  readonly accessTokenFormat: 'opaque' | 'jwt';
  readonly jwt?: { readonly sign: { readonly alg: string } };
}

/**
 * Resource indicators (RFC 8707). Without one a token is for any resource server, which the library knows under the
 * name of the issuer. With one it is for a single resource server: the registered client whose registration address,
 * identifier or resource identifier it is; in the last case the audience is the resource identifier as registered.
 * Scope values beyond what the client may get are refused, not omitted.
 */
export function resourceServers(deps: ProviderDeps) {
  const { issuer, algorithm, provider } = deps;
  const info = (scope: string, audience: string): ResourceServer => ({
    scope,
    audience,
    ...(audience !== issuer && provider.resourceTokenFormat === 'jwt'
      ? { accessTokenFormat: 'jwt', jwt: { sign: { alg: algorithm } } }
      : { accessTokenFormat: 'opaque' }),
  });
  return {
    defaultResource: async (_ctx: unknown, _client: unknown, oneOf?: readonly string[]) => oneOf ?? issuer,
    useGrantedResource: async () => true,
    getResourceServerInfo: async (ctx: ProviderContext, indicator: string, client: ProviderClient) => {
      const permitted = permittedScope(client);
      // A client that acts for itself; authorization requests already have their scope.
      const isForItself = ctx.oidc.params?.['grant_type'] === 'client_credentials';
      if (isForItself) fillInScope(ctx, client, provider.resourceDefaultScopes);
      refuseBeyond(ctx, permitted);
      if (isForItself) refuseAllBeyond(ctx, permitted);
      const scope = permitted.join(' ');
      return info(scope, indicator === issuer ? issuer : await audienceOf(deps, indicator));
    },
  };
}

function refuseBeyond({ oidc }: ProviderContext, permitted: readonly string[]): void {
  const refused = [...oidc.requestParamScopes].find(
    (value) => !permitted.includes(value) && !OPENID_SCOPES.includes(value),
  );
  if (refused !== undefined) throw new errors.InvalidScope('requested scope is not allowed', refused);
}

/** OpenID Connect scope values beyond the permitted ones are left out, unless nothing else was requested. */
function refuseAllBeyond({ oidc }: ProviderContext, permitted: readonly string[]): void {
  const requested = [...oidc.requestParamScopes];
  const [first] = requested;
  if (first !== undefined && !requested.some((value) => permitted.includes(value)))
    throw new errors.InvalidScope('requested scope is not allowed', first);
}

async function audienceOf(deps: ProviderDeps, indicator: string): Promise<string> {
  const { issuer } = deps;
  const prefix = `${registrationEndpoint(issuer)}/`;
  const id = indicator.startsWith(prefix) ? decoded(indicator.slice(prefix.length)) : indicator;
  const client = await findActiveClient(deps, id);
  if (client !== undefined && isResourceServer(client, issuer)) return client.id;
  const named = await findResourceServer(deps, indicator);
  if (named === undefined || !isResourceServer(named.client, issuer))
    throw new errors.InvalidTarget('the resource is not a registered resource server');
  return named.identifier;
}

function isResourceServer({ metadata }: Client, issuer: Issuer): boolean {
  return permitsIntrospection(parseScope(metadata.scope ?? '') ?? EMPTY_SCOPE, introspectionEndpoint(issuer));
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
