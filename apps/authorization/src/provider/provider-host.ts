import { type ProviderHost as HostOf, providerHost } from '@vestibule/oidc-provider-adapter';
import type { Provider } from 'oidc-provider';
import { createProvider } from './create-provider.js';
import type { ProviderDeps } from './provider-deps.js';

/** Provides the provider of the current keys. */
export type ProviderHost = HostOf<Provider>;

/** Creates a new provider whenever the keys change. */
export function createProviderHost(deps: ProviderDeps): ProviderHost {
  return providerHost({ ...deps, create: (privateKeys) => createProvider(deps, privateKeys) });
}
