import type { MasterToken } from '@vestibule/crypto';
import { type Hook, parseBearer } from '@vestibule/http';
import { DomainError } from '@vestibule/protocol';

/**
 * Creates a hook that refuses requests without the master token before the body is read. For routes that accept no other
 * credential; routes that also accept a registration access token use `authorizeManagement` of `@vestibule/clients`.
 */
export function requireMasterToken(masterToken: MasterToken): Hook {
  return (request, _reply, done) => {
    checkMasterToken(masterToken, request.headers.authorization);
    done();
  };
}

/**
 * Checks that an `Authorization` header contains the master token. For hooks and handlers that handle some requests
 * without it, such as a redirect of browsers to a form.
 * @throws DomainError `missing_token` or `invalid_token`
 */
export function checkMasterToken(masterToken: MasterToken, authorization: string | undefined): void {
  const bearer = parseBearer(authorization);
  if (bearer.kind === 'none') throw new DomainError('missing_token', 'The master token is required.');
  if (bearer.kind === 'malformed' || !masterToken.matches(bearer.token))
    throw new DomainError('invalid_token', 'The access token is not the master token.');
}
