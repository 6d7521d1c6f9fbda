export type { RevocationStatus, RevocationStore, SelfContainedTokenFacts } from './revocation-store.js';
export { revokeOwnToken } from './revoke-own-token.js';
export { revokeSubject } from './revoke-subject.js';
export { revokeToken, type TokenRevocationDeps } from './revoke-token.js';
