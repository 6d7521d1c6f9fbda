import { DomainError } from '@vestibule/protocol';
import { type Hook, parseBearer, type Request } from '@vestibule/service-kit';

/**
 * The bearer token of a request; `undefined` when it has no `Authorization` of that scheme.
 * @throws DomainError `invalid_token` when the scheme is Bearer and what follows is no token
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
 * The bearer token of a request that may do without one; `undefined` when it has no `Authorization` at all. Whoever
 * sends credentials of another scheme wants more than anyone may have, and is told that a token is needed.
 * @throws DomainError `missing_token` for another scheme; `invalid_token` as {@link bearerToken}
 */
export function optionalBearerToken(request: Pick<Request, 'headers'>): string | undefined {
  const token = bearerToken(request);
  if (token === undefined && request.headers.authorization !== undefined) throw missingToken();
  return token;
}

/** Refuses before the body is read: who sends no token learns nothing else (RFC 6750 section 3). */
export const requireToken: Hook = (request, _reply, done) => {
  if (bearerToken(request) === undefined) throw missingToken();
  done();
};

function missingToken(): DomainError {
  return new DomainError('missing_token', 'An access token is needed.');
}
