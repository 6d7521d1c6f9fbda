/// <reference path="./oidc-provider.d.ts" />

export { type PairwiseSubjects, pairwiseSubjects } from '@vestibule/tokens/issuing';
export { accessTokenOf, type TokenFacts } from './access-token-of.js';
export type { Adapter } from './adapter.js';
export { type AdapterFactory, type AdapterOptions, createAdapterFactory } from './adapter-factory.js';
export { authenticationFacts } from './authentication-facts.js';
export { clientProperties } from './client-adapter.js';
export { type ClientViewOptions, REGISTERED_SCOPE } from './client-view.js';
export { useIssuerAddresses } from './issuer-addresses.js';
export { JoinError } from './join/join-error.js';
export type { JoinableProvider, JoinedProvider, JoinOptions } from './join/join-options.js';
export { joinProvider } from './join/join-provider.js';
export { jwtCustomizer } from './jwt-customizer.js';
export {
  type PrivateJwk,
  type ProviderHost,
  type ProviderHostOptions,
  providerHost,
} from './provider-host.js';
export {
  type RevocationBesideDeps,
  type RevocationContext,
  type RevocationStep,
  revokeBesideLibrary,
} from './revoke-beside-library.js';
