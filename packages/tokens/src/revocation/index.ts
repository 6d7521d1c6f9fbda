export type {
  RevocationStatus,
  RevocationStore,
  SelfContainedTokenFacts,
  UnknownToken,
} from './revocation-store.js';
export { revokeOwnToken } from './revoke-own-token.js';
export { revokeSubject } from './revoke-subject.js';
export {
  type RevokedTokenFacts,
  revokeToken,
  type TokenRevocationDeps,
  UNKNOWN_TOKEN_LIFETIME_SECONDS,
} from './revoke-token.js';
