export type { AccessToken } from './access-token.js';
export type { AccessTokenStore } from './access-token-store.js';
export type { RevocationStore, SelfContainedTokenFacts } from './revocation-store.js';
