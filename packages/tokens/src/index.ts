export type { AccessToken } from './access-token.js';
export { type SelfContainedToken, toClaims as accessTokenClaims } from './access-token-claims.js';
export {
  type AccessTokenGrant,
  type IssuedAccessToken,
  MAX_TOKEN_LIFETIME_SECONDS,
} from './access-token-grant.js';
export type { AccessTokenStore, StoredAccessToken } from './access-token-store.js';
export { cachedTokenStates, type TokenCache, type TokenCacheOptions } from './cache/cached-token-states.js';
export type { InvalidationLog, ReadMark } from './cache/invalidation-log.js';
export { withinStoreDeadline } from './cache/stale-fallback.js';
export type { TokenCacheCounters } from './cache/token-cache-counters.js';
export type { MemoryLimits } from './cache/token-memory.js';
export {
  type ClientWatchOptions,
  type WatchedClients,
  type WatchedFacts,
  watchClients,
} from './cache/watch-clients.js';
export { type CacheTag, type CacheTagKind, cacheTag, digestTag, jtiTag } from './cache-tag.js';
export { inspectToken, type TokenInspection } from './inspect-token.js';
export { type IntrospectionDeps, type IntrospectionRequest, introspect } from './introspect.js';
export type { Introspection, ResourceServer, ResponseRules } from './introspection.js';
export { type IntrospectionFormat, introspectionFormat } from './introspection-format.js';
export {
  type ActiveTokenView,
  composeResponse,
  INACTIVE_RESPONSE,
  type IntrospectionResponse,
  type ResponseComposer,
  tokenType,
} from './introspection-response.js';
export type { Invalidation, InvalidationStream, RevocationListener } from './invalidation-stream.js';
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
} from './pairwise-subjects.js';
export type {
  AddedClient,
  ArtifactRecord,
  AuthorizationRecord,
  AuthorizedJwt,
  FoundArtifact,
  FoundSession,
  IdentifiedSession,
  ProviderPayload,
  ProviderRecords,
  RefreshTokenRecord,
  SessionClientRecord,
  SessionRecord,
  StoredRecord,
} from './provider-records.js';
export { initialTokenReader } from './read-initial-access-token.js';
export type { RevocationStatus, RevocationStore, SelfContainedTokenFacts } from './revocation-store.js';
export { type OwnTokenRevocationDeps, revokeOwnToken } from './revoke-own-token.js';
export { revokeSubject, type SubjectRevocationDeps } from './revoke-subject.js';
export { revokeToken, type TokenRevocationDeps } from './revoke-token.js';
export type { SharedTokenLevel, SharedTokenState } from './shared-token-level.js';
export {
  introspectionSigner,
  type ResponseRecipient,
  type ResponseSigner,
  type SignedFormat,
  type SignedIntrospectionDeps,
} from './signed-introspection.js';
export type { PauseGuard, StoreClock } from './store-clock.js';
export type { InactiveReason, TokenDecision } from './token-decision.js';
export {
  type FoundToken,
  readLiveToken,
  type TokenState,
  type TokenStateDeps,
  type TokenStates,
} from './token-state.js';
export {
  IDENTIFIER_TOKEN_MAX_LENGTH,
  IDENTIFIER_TOKEN_MIN_LENGTH,
  JWT_MAX_LENGTH,
  type TokenSyntax,
  tokenSyntax,
} from './token-syntax.js';
