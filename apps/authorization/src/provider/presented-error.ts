import { DomainError, ThrottledError } from '@vestibule/protocol';
import { errors, type ProviderContext } from 'oidc-provider';
import { AUTHENTICATED_ROUTES } from './client-refusals.js';

const STATUS: Readonly<Record<string, number>> = { unauthorized_client: 401, too_many_requests: 429 };

/** A domain error as an error of the library; any other error stays an internal error. */
export function presentedError(ctx: ProviderContext, error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  const isThrottled = error instanceof ThrottledError;
  if (isThrottled) ctx.set('Retry-After', String(error.retryAfterSeconds));
  const status = statusOf(ctx, error);
  const presented = new errors.CustomOIDCProviderError(error.code, error.description);
  // A throttled browser gets a page here, with the time to wait, which a redirect could not carry.
  return Object.assign(presented, {
    status,
    statusCode: status,
    ...(isThrottled && { allow_redirect: false }),
  });
}

/** A client that cannot be authenticated gets a 401 (RFC 6749 section 5.2); a browser gets a page with 400. */
function statusOf({ oidc }: ProviderContext, { code }: DomainError): number {
  if (code === 'invalid_client' && AUTHENTICATED_ROUTES.has(oidc.route)) return 401;
  return STATUS[code] ?? 400;
}
