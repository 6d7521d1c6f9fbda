export type { AccessToken } from './access-token.js';
export {
  type AccessTokenGrant,
  type IssuedAccessToken,
  MAX_TOKEN_LIFETIME_SECONDS,
} from './access-token-grant.js';
export type { AccessTokenStore } from './access-token-store.js';
export {
  type Introspection,
  type IntrospectionDeps,
  type IntrospectionRequest,
  introspect,
} from './introspect.js';
export {
  type ActiveTokenView,
  type AnswerComposer,
  composeAnswer,
  INACTIVE_ANSWER,
  type IntrospectionAnswer,
  tokenType,
} from './introspection-answer.js';
export { type IdTokenDeps, type IdTokenGrant, issueIdToken } from './issue-id-token.js';
export { type IdentifierTokenDeps, issueIdentifierToken } from './issue-identifier-token.js';
export {
  type InitialAccessTokenDeps,
  type InitialAccessTokenGrant,
  type IssuedInitialAccessToken,
  issueInitialAccessToken,
} from './issue-initial-access-token.js';
export { issueJwtToken, type JwtTokenDeps } from './issue-jwt-token.js';
export type { RevocationStore, SelfContainedTokenFacts } from './revocation-store.js';
export { revokeToken, type TokenRevocationDeps } from './revoke-token.js';
export type { InactiveReason, TokenDecision } from './token-decision.js';
export { readLiveToken, type TokenState, type TokenStateDeps } from './token-state.js';
export {
  IDENTIFIER_TOKEN_MAX_LENGTH,
  IDENTIFIER_TOKEN_MIN_LENGTH,
  JWT_MAX_LENGTH,
  type TokenSyntax,
  tokenSyntax,
} from './token-syntax.js';
