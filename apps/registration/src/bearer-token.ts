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

/** Refuses before the body is read: who sends no token learns nothing else (RFC 6750 section 3). */
export const requireToken: Hook = (request, _reply, done) => {
  if (bearerToken(request) === undefined)
    throw new DomainError('missing_token', 'An access token is needed.');
  done();
};
