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
  `POST ${ENDPOINT_PATH.token}`,
  `POST ${ENDPOINT_PATH.pushedAuthorization}`,
  `POST ${ENDPOINT_PATH.userinfo}`,
]);

/**
 * Holds every answer to a change until this process has heard of the change itself: what revokes here is dead here at
 * once, whatever revoked it. To be called before the services are registered.
 */
export function settleChanges(server: Server, memory: Memory): void {
  server.addHook('onSend', async ({ method, routeOptions: { url = '' } }, { statusCode }) => {
    const isChange = statusCode < 400 && method !== 'GET' && !HARMLESS.has(`${method} ${url}`);
    if (isChange) await memory.settle();
  });
}
