import { DomainError, ThrottledError } from '@vestibule/protocol';
import { errors, type ProviderContext } from 'oidc-provider';

const STATUS: Readonly<Record<string, number>> = { unauthorized_client: 401, too_many_requests: 429 };

/** A refusal in the form in which the library presents it; what is no refusal stays a fault. */
export function presentedError(ctx: ProviderContext, error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  const isThrottled = error instanceof ThrottledError;
  if (isThrottled) ctx.set('Retry-After', String(error.retryAfterSeconds));
  const status = STATUS[error.code] ?? 400;
  const presented = new errors.CustomOIDCProviderError(error.code, error.description);
  // A browser that comes too often is told so here, with the time to wait, which no redirect carries.
  return Object.assign(presented, {
    status,
    statusCode: status,
    ...(isThrottled && { allow_redirect: false }),
  });
}
