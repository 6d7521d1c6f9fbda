import type { UpstreamAttempt, UpstreamLogin } from './upstream-provider.js';

/** Tolerated clock skew. */
const SKEW_SECONDS = 30;

/**
 * Whether the end-user authenticated as recently as the client requires. The browser carried `prompt` and `max_age`, so
 * only `auth_time`, which a provider adds if it gets `max_age`, proves that they were obeyed (OpenID Connect Core 1.0
 * section 3.1.2.1).
 */
export function isRecentLogin(
  { authenticatedAt }: Pick<UpstreamLogin, 'authenticatedAt'>,
  { startedAt, maxAgeSeconds }: Pick<UpstreamAttempt, 'startedAt' | 'maxAgeSeconds'>,
): boolean {
  if (maxAgeSeconds === undefined) return true;
  return authenticatedAt !== undefined && authenticatedAt >= startedAt - maxAgeSeconds - SKEW_SECONDS;
}
