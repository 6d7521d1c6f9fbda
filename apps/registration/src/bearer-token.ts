import { type Hook, parseBearer, type Request } from '@vestibule/http';
import { DomainError } from '@vestibule/protocol';

/**
 * Returns the bearer token of a request; `undefined` without an `Authorization: Bearer` header.
 * @throws DomainError `invalid_token` when the value after `Bearer` is not a token
 */
export function bearerToken({ headers }: Pick<Request, 'headers'>): string | undefined {
  const bearer = parseBearer(headers.authorization);
  if (bearer.kind === 'none') return undefined;
  if (bearer.kind === 'bearer') return bearer.token;
  throw new DomainError('invalid_token', 'The access token is invalid, expired or revoked.', {
    detail: 'no token after the scheme',
  });
}

/**
 * Returns the bearer token of a request that may be anonymous; `undefined` without an `Authorization` header.
 * Credentials of another scheme are not ignored, because the sender expects more than an anonymous request may do.
 * @throws DomainError `missing_token` for another scheme; `invalid_token` as {@link bearerToken}
 */
export function optionalBearerToken(request: Pick<Request, 'headers'>): string | undefined {
  const token = bearerToken(request);
  if (token === undefined && request.headers.authorization !== undefined) throw missingToken();
  return token;
}

/** Refuses requests without a token before the body is read, so that they reveal nothing else (RFC 6750 section 3). */
export const requireToken: Hook = (request, _reply, done) => {
  if (bearerToken(request) === undefined) throw missingToken();
  done();
};

function missingToken(): DomainError {
  return new DomainError('missing_token', 'An access token is required.');
}
