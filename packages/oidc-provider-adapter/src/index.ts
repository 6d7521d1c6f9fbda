/// <reference path="./oidc-provider.d.ts" />

export { type PairwiseSubjects, pairwiseSubjects } from '@vestibule/tokens/issuing';
export { accessTokenOf, type TokenFacts } from './access-token-of.js';
export type { Adapter } from './adapter.js';
export { type AdapterFactory, type AdapterOptions, createAdapterFactory } from './adapter-factory.js';
export { authenticationFacts } from './authentication-facts.js';
export { type ClientViewOptions, REGISTERED_SCOPE } from './client-view.js';
export { jwtCustomizer } from './jwt-customizer.js';
