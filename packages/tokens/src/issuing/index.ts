export { type SelfContainedToken, toClaims as accessTokenClaims } from './access-token-claims.js';
export {
  type AccessTokenGrant,
  type IssuedAccessToken,
  MAX_TOKEN_LIFETIME_SECONDS,
} from './access-token-grant.js';
export { type IdTokenDeps, type IdTokenGrant, issueIdToken } from './issue-id-token.js';
export { type IdentifierTokenDeps, issueIdentifierToken } from './issue-identifier-token.js';
export {
  type InitialAccessTokenDeps,
  type InitialAccessTokenGrant,
  type IssuedInitialAccessToken,
  issueInitialAccessToken,
} from './issue-initial-access-token.js';
export { issueJwtToken, type JwtTokenDeps } from './issue-jwt-token.js';
export {
  issueLogoutToken,
  LOGOUT_EVENT,
  LOGOUT_TOKEN_LIFETIME_SECONDS,
  type LogoutTokenDeps,
  type LogoutTokenGrant,
} from './logout-token.js';
export {
  findPairwiseSubject,
  type PairwiseSubjects,
  pairwiseSubjects,
  recordPairwiseSubject,
} from './pairwise-subjects.js';
export { initialTokenReader } from './read-initial-access-token.js';
