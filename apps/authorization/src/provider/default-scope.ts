import { resourceName } from '@vestibule/metadata';
import { REGISTERED_SCOPE } from '@vestibule/oidc-provider-adapter';
import { Provider, type ProviderClient, type ProviderContext } from 'oidc-provider';
import { OPENID_SCOPES } from './claims.js';

/** Default scope values of requests with a resource and no scope, by resource without a trailing slash. */
export type ResourceDefaultScopes = ReadonlyMap<string, readonly string[]>;

/** The scope values that a client may get: those that it registered, or those that any client may request. */
export function permittedScope(client: ProviderClient): readonly string[] {
  return registeredScope(client) ?? OPENID_SCOPES;
}

/**
 * Fills in the scope of a request without one (RFC 6749 section 3.3): the default of the resource as far as the client
 * may get it, else what the client registered, else `openid` if an end-user signs in.
 */
export function fillInScope(
  { oidc: { params, route } }: ProviderContext,
  client: ProviderClient,
  resourceDefaults: ResourceDefaultScopes,
): void {
  if (params === undefined || params['scope'] !== undefined) return;
  const permitted = permittedScope(client);
  const names = [params['resource']].flat().map((name) => resourceName(String(name)));
  const ofResources = names.flatMap((name) => resourceDefaults.get(name) ?? []);
  const ofResource = ofResources.filter((value) => permitted.includes(value));
  const fallback = registeredScope(client) ?? (route === 'token' ? [] : ['openid']);
  const scope = ofResource.length > 0 ? ofResource : fallback;
  if (scope.length > 0) params['scope'] = [...new Set(scope)].join(' ');
}

/**
 * Makes a provider fill in the scope of plain, signed and pushed authorization requests. The library has no hook for
 * it: the response mode is the first thing that it checks when the parameters are final, and it asks the client.
 */
export function addDefaultScope({ Client }: Provider, resourceDefaults: ResourceDefaultScopes): void {
  const { prototype } = Client;
  const { responseModeAllowed } = prototype;
  prototype.responseModeAllowed = function fillInBefore(this: ProviderClient, ...parameters: unknown[]) {
    const { ctx } = Provider;
    if (ctx !== undefined) fillInScope(ctx, this, resourceDefaults);
    return responseModeAllowed.apply(this, parameters);
  };
}

function registeredScope(client: ProviderClient): readonly string[] | undefined {
  const registered = client[REGISTERED_SCOPE];
  return typeof registered === 'string' ? registered.split(' ') : undefined;
}
