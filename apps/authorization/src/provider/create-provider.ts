import { parseClientId } from '@vestibule/protocol';
import type { JWK } from 'jose';
import { Provider, type ProviderContext } from 'oidc-provider';
import { addAccessTokenHash } from './access-token-hash.js';
import { watchRefusals } from './client-refusals.js';
import { addDefaultScope } from './default-scope.js';
import { providerConfiguration } from './provider-configuration.js';
import type { ProviderDeps } from './provider-deps.js';
import { revokeBesideLibrary } from './revoke-beside-library.js';
import { ignoreKeyIdsOfSecrets } from './secret-key-ids.js';

/** Creates a provider for one state of the key set. */
export function createProvider(deps: ProviderDeps, privateKeys: readonly JWK[]): Provider {
  const provider = new Provider(deps.issuer, providerConfiguration(deps, privateKeys));
  useIssuerAddresses(provider, deps.issuer);
  addDefaultScope(provider, deps.provider.resourceDefaultScopes);
  addAccessTokenHash(provider);
  ignoreKeyIdsOfSecrets(provider);
  provider.use(revokeBesideLibrary(deps));
  watchRefusals(provider, deps.onRefusedClient);
  provider.on('error', deps.onProblem);
  provider.on('server_error', (_ctx: ProviderContext, error: unknown) => deps.onProblem(error));
  for (const event of ['grant.success', 'pushed_authorization_request.success', 'authorization.success'])
    provider.on(event, (ctx: ProviderContext) => noteUse(deps, ctx));
  return provider;
}

/** Addresses and cookies are those of the issuer, whatever host a request names. */
function useIssuerAddresses({ request }: Provider, issuer: string): void {
  const { protocol, host, origin } = new URL(issuer);
  const values = { protocol: protocol.slice(0, -1), host, origin, href: `${origin}/` };
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(request, name, { get: () => value, configurable: true });
}

function noteUse({ clientUses }: ProviderDeps, { oidc }: ProviderContext): void {
  const id = parseClientId(oidc.client?.clientId);
  if (id !== undefined) clientUses.record({ id });
}
