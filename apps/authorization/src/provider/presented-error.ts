import { DomainError, ThrottledError } from '@vestibule/protocol';
import { errors, type ProviderContext } from 'oidc-provider';

const STATUS: Readonly<Record<string, number>> = { unauthorized_client: 401, too_many_requests: 429 };

/** A domain error as an error of the library; any other error stays an internal error. */
export function presentedError(ctx: ProviderContext, error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  const isThrottled = error instanceof ThrottledError;
  if (isThrottled) ctx.set('Retry-After', String(error.retryAfterSeconds));
  const status = STATUS[error.code] ?? 400;
  const presented = new errors.CustomOIDCProviderError(error.code, error.description);
  // A throttled browser gets a page here, with the time to wait, which a redirect could not carry.
  return Object.assign(presented, {
    status,
    statusCode: status,
    ...(isThrottled && { allow_redirect: false }),
  });
}
