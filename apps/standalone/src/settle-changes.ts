import { ENDPOINT_PATH } from '@vestibule/protocol';
import type { Server } from '@vestibule/service-kit';

/** What knows of tokens and has to forget them. */
export interface Memory {
  /** Resolves when this process knows nothing any more that was committed away before the call. */
  settle(): Promise<void>;
}

/** Operations after which no token is dead that was alive before, or that see to it themselves. */
const HARMLESS: ReadonlySet<string> = new Set([
  `POST ${ENDPOINT_PATH.introspection}`,
  `POST ${ENDPOINT_PATH.registration}`,
  `POST ${ENDPOINT_PATH.directAuthorization}`,
  `POST ${ENDPOINT_PATH.pushedAuthorization}`,
  `POST ${ENDPOINT_PATH.userinfo}`,
]);

/**
 * Holds every response to a change until this process has heard of the change itself: what revokes here is dead here at
 * once, whatever revoked it. To be called before the services are registered.
 */
export function settleChanges(server: Server, memory: Memory): void {
  server.addHook('onSend', async ({ method, routeOptions: { url = '' } }, { statusCode }) => {
    if (mayEndTokens(`${method} ${url}`, statusCode)) await memory.settle();
  });
}

/** A code or a refresh token that comes a second time ends what came of it, and the response is a refusal. */
function mayEndTokens(operation: string, status: number): boolean {
  if (operation === `POST ${ENDPOINT_PATH.token}`) return status === 400;
  return status < 400 && !operation.startsWith('GET ') && !HARMLESS.has(operation);
}
