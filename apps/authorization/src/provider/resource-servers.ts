import { ENDPOINT_PATH } from '@vestibule/protocol/constants';
import { errors, type ProviderClient, type ProviderContext } from 'oidc-provider';
import { OPENID_SCOPES } from './claims.js';
import { fillInScope, permittedScope, useResourceDefault } from './default-scope.js';
import type { ProviderDeps } from './provider-deps.js';
import { requestedResource } from './requested-resources.js';

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
 *
 * For an end-user, who consents, a client may request the scope values that it may get anyway and those that the
 * resource servers in the request declare. A client that acts for itself gets no declared values. Other values are
 * refused, not omitted.
 */
export function resourceServers(deps: ProviderDeps) {
  const { issuer, algorithm, provider } = deps;
  const info = (scope: readonly string[], audience: string): ResourceServer => ({
    scope: scope.join(' '),
    audience,
    ...(audience !== issuer && provider.resourceTokenFormat === 'jwt'
      ? { accessTokenFormat: 'jwt', jwt: { sign: { alg: algorithm } } }
      : { accessTokenFormat: 'opaque' }),
  });
  return {
    defaultResource: async (_ctx: unknown, _client: unknown, oneOf?: readonly string[]) => oneOf ?? issuer,
    useGrantedResource: async () => true,
    getResourceServerInfo: async (ctx: ProviderContext, indicator: unknown, client: ProviderClient) => {
      const { resource, declaredByAll } = await requestedResource(deps, ctx, indicator);
      const permitted = permittedScope(client);
      const isForItself = ctx.oidc.params?.['grant_type'] === 'client_credentials';
      const requestable = isForItself ? permitted : [...permitted, ...declaredByAll];
      // Authorization requests already have their scope.
      if (isForItself) fillInScope(ctx, client);
      useResourceDefault(ctx, provider.resourceDefaultScopes, requestable);
      refuseNothing(ctx);
      refuseBeyond(ctx, requestable);
      if (isForItself) refuseAllBeyond(ctx, permitted);
      const { audience, declared } = resource;
      if (audience === issuer && provider.isResourceRequired) requireResource(ctx, issuer);
      return info([...declared, ...declaredByNone(permitted, declaredByAll)], audience);
    },
  };
}

/**
 * A token for a resource may have the scope values that it declares, and of those that the client may get anyway all
 * that no other resource of the request declares (RFC 8707 section 2.2).
 */
function declaredByNone(permitted: readonly string[], declared: readonly string[]): readonly string[] {
  return permitted.filter((value) => !declared.includes(value));
}

/**
 * An authorization request of which no scope value is left (RFC 6749 section 3.3): it had `offline_access` alone, which counts
 * only under conditions (OpenID Connect Core 1.0 section 11). Without this, the end-user would be asked for consent to nothing.
 */
function refuseNothing({ oidc }: ProviderContext): void {
  if (REQUESTS_OF_USERS.has(oidc.route) && oidc.params?.['scope'] === undefined)
    throw new errors.InvalidScope(
      'offline_access alone is no scope: it requires another scope value, prompt=consent and the grant type refresh_token',
      'offline_access',
    );
}

/** The library's names of the endpoints that take authorization requests. */
const REQUESTS_OF_USERS: ReadonlySet<string> = new Set(['authorization', 'pushed_authorization_request']);

function refuseBeyond({ oidc }: ProviderContext, requestable: readonly string[]): void {
  const refused = [...oidc.requestParamScopes].find(
    (value) => !requestable.includes(value) && !OPENID_SCOPES.includes(value),
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

/**
 * Refuses a new grant for any resource server. Values of OpenID Connect and addresses of ours are for this server, and
 * need no resource. Tokens of earlier grants can still be renewed.
 */
function requireResource({ oidc }: ProviderContext, issuer: string): void {
  const grantType = oidc.params?.['grant_type'];
  if (grantType !== undefined && grantType !== 'client_credentials') return;
  const ours = Object.values(ENDPOINT_PATH).map((path) => issuer + path);
  const isForOthers = (value: string) => !OPENID_SCOPES.includes(value) && !ours.includes(value);
  if ([...oidc.requestParamScopes].some(isForOthers))
    throw new errors.InvalidTarget('resource must name the resource server that the token is for');
}
