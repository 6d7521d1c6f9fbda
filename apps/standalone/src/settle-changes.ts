import type { Server } from '@vestibule/http';
import { ENDPOINT_PATH } from '@vestibule/protocol/constants';

/** A cache of tokens that must be invalidated. */
export interface TokenCache {
  /** Resolves when every change committed before the call has been removed from the caches of this process. */
  settle(): Promise<void>;
}

/** Operations that revoke no token, or that settle themselves. */
const NON_REVOKING: ReadonlySet<string> = new Set([
  `POST ${ENDPOINT_PATH.introspection}`,
  `POST ${ENDPOINT_PATH.registration}`,
  `POST ${ENDPOINT_PATH.registration}/:id/verify`,
  `POST ${ENDPOINT_PATH.directAuthorization}`,
  `POST ${ENDPOINT_PATH.directAuthorization}/tokens`,
  `POST ${ENDPOINT_PATH.pushedAuthorization}`,
  `POST ${ENDPOINT_PATH.userinfo}`,
]);

/**
 * Delays every response to a change until this process has received the invalidation of the change itself: a revocation
 * here takes effect here at once, whatever caused it. Must be called before the services are registered.
 */
export function settleChanges(server: Server, cache: TokenCache): void {
  server.addHook('onSend', async ({ method, routeOptions: { url = '' } }, { statusCode }) => {
    if (mayRevokeTokens(`${method} ${url}`, statusCode)) await cache.settle();
  });
}

/** A second use of a code or a refresh token revokes the tokens issued from it, and the response is an error. */
function mayRevokeTokens(operation: string, status: number): boolean {
  if (operation === `POST ${ENDPOINT_PATH.token}`) return status === 400;
  return status < 400 && !operation.startsWith('GET ') && !NON_REVOKING.has(operation);
}
