import { REFUSAL_REASONS } from '@vestibule/client-auth';
import { clientRefusalCounter } from '@vestibule/service';
import { AUTHENTICATED_ROUTES } from './provider/authenticated-routes.js';
import type { RefusedClient } from './provider/client-refusals.js';

/** Counts failed client authentications at the endpoints of the authorization server. */
export function refusedClientCounter(
  registry: Parameters<typeof clientRefusalCounter>[0],
): (refused: RefusedClient) => void {
  const ofEndpoint = clientRefusalCounter(registry);
  const counters = new Map(
    [...AUTHENTICATED_ROUTES.values()].map((path) => [path, ofEndpoint(path, REFUSAL_REASONS)] as const),
  );
  return ({ route, reason }) => counters.get(route)?.(reason);
}
