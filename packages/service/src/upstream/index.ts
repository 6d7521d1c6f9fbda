export { type OpenidUpstreamOptions, openidUpstream } from './openid-upstream.js';
export { UpstreamError, type UpstreamFailure } from './upstream-error.js';
export { type UpstreamFetch, upstreamFetch } from './upstream-fetch.js';
export type {
  UpstreamAttempt,
  UpstreamLogin,
  UpstreamLogout,
  UpstreamProvider,
  UpstreamWishes,
} from './upstream-provider.js';
export { LOGOUT_TOKEN_MAX_LENGTH, type VerifiedLogoutDeps, verifiedLogout } from './verified-logout.js';
