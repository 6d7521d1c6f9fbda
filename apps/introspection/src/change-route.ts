import { type Route, route } from '@vestibule/http';
import { DomainError } from '@vestibule/protocol';
import { ENDPOINT_PATH } from '@vestibule/protocol/constants';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import { withinStoreDeadline } from '@vestibule/tokens/cache';
import { Type } from 'typebox';
import { FOLLOW_CHANGES } from './change-description.js';
import type { IntrospectionServiceDeps } from './deps.js';
import { callerAuthentication, rethrowNoted } from './introspection-caller.js';

const ChangesQuery = Type.Object({
  client_id: Type.Optional(
    Type.String({ description: 'Client that authenticates with the certificate of the connection.' }),
  ),
});

/** GET /token/changes (introspection/API.md#changes). */
export function followChanges(deps: IntrospectionServiceDeps): Route {
  const { changes, watch } = deps;
  const address = deps.issuer + ENDPOINT_PATH.tokenChanges;
  const { identify } = callerAuthentication(deps, { method: 'GET', address });
  return route({
    description: FOLLOW_CHANGES,
    schema: { querystring: ChangesQuery },
    handler: async ({ headers: { authorization, 'last-event-id': lastEventId }, query, raw }, reply) => {
      if (changes === undefined || watch === undefined)
        throw new DomainError('not_found', 'there is no cache');
      // Before the client is read.
      const validityOf = watch.start();
      // A query has no secrets (RFC 6749 section 2.3.1), whatever it is sent with.
      const form = query.client_id === undefined ? {} : { client_id: query.client_id };
      const identified = Promise.resolve(identify({ authorization, form }, raw));
      const { clientId } = await withinStoreDeadline(identified, nodeScheduler).catch((error) =>
        rethrowNoted(deps, error),
      );
      const validity = validityOf(clientId);
      changes.open(reply, {
        clientId,
        lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
        // Otherwise all readers would come back at once after every short interruption.
        isValid: () => validity.isCurrent() || validity.wasRecentlyCurrent(),
      });
      return reply;
    },
  });
}
