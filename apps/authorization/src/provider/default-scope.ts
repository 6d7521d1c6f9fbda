import { resourceName } from '@vestibule/metadata/uris';
import { REGISTERED_SCOPE } from '@vestibule/oidc-provider-adapter';
import { Provider, type ProviderClient, type ProviderContext } from 'oidc-provider';
import { OPENID_SCOPES } from './claims.js';
import { requestedNames } from './requested-resources.js';

/** Default scope values of requests with a resource and no scope, by resource without a trailing slash. */
export type ResourceDefaultScopes = ReadonlyMap<string, readonly string[]>;

/** The scope values that a client may get for any resource: those that it registered, or those that any client may request. */
export function permittedScope(client: ProviderClient): readonly string[] {
  return registeredScope(client) ?? OPENID_SCOPES;
}

/** Requests whose scope was filled in, until their resources are known. */
const withoutScope = new WeakSet<ProviderContext>();

/**
 * Fills in the scope of a request without one (RFC 6749 section 3.3): what the client registered, else `openid` if an
 * end-user logs in. {@link useResourceDefault} replaces it.
 */
export function fillInScope(ctx: ProviderContext, client: ProviderClient): void {
  const { params, route } = ctx.oidc;
  if (params === undefined || params['scope'] !== undefined) return;
  withoutScope.add(ctx);
  const scope = registeredScope(client) ?? (route === 'token' ? [] : ['openid']);
  if (scope.length > 0) params['scope'] = [...new Set(scope)].join(' ');
}

/** Parameters that the library takes with the scope value `openid` only. */
const OPENID_PARAMETERS = ['nonce', 'max_age', 'acr_values', 'claims', 'id_token_hint'];

/**
 * Replaces a scope that was filled in by the default of the resources, as far as the client may request it. An OpenID
 * Connect request keeps its scope.
 */
export function useResourceDefault(
  ctx: ProviderContext,
  resourceDefaults: ResourceDefaultScopes,
  requestable: readonly string[],
): void {
  const { params } = ctx.oidc;
  if (params === undefined || !withoutScope.delete(ctx)) return;
  if (OPENID_PARAMETERS.some((name) => params[name] !== undefined)) return;
  if (String(params['response_type']).includes('id_token')) return;
  const ofResources = requestedNames(ctx).flatMap((name) => resourceDefaults.get(resourceName(name)) ?? []);
  const scope = ofResources.filter((value) => requestable.includes(value));
  if (scope.length > 0) params['scope'] = [...new Set(scope)].join(' ');
}

/**
 * Makes a provider fill in the scope of plain, signed and pushed authorization requests. The library has no hook for
 * it: the response mode is the first thing that it checks when the parameters are final, and it asks the client.
 */
export function addDefaultScope({ Client }: Provider): void {
  const { prototype } = Client;
  const { responseModeAllowed } = prototype;
  prototype.responseModeAllowed = function fillInBefore(this: ProviderClient, ...parameters: unknown[]) {
    const { ctx } = Provider;
    if (ctx !== undefined) fillInScope(ctx, this);
    return responseModeAllowed.apply(this, parameters);
  };
}

function registeredScope(client: ProviderClient): readonly string[] | undefined {
  const registered = client[REGISTERED_SCOPE];
  return typeof registered === 'string' ? registered.split(' ') : undefined;
}
