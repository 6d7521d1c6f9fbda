import {
  authenticateClient,
  authorizeByBearer,
  type BearerAccessReader,
  type CallerMemory,
  callerMemory,
  grantIntrospection,
  type IntrospectionCaller,
  rememberedClients,
} from '@vestibule/client-auth';
import type { Client } from '@vestibule/clients';
import { parseBearer } from '@vestibule/service-kit';
import { readLiveToken, type TokenStateDeps } from '@vestibule/tokens';
import type { IntrospectionServiceDeps } from './deps.js';

/** Tells who calls, by client authentication or by an access token, and that it may (Seed 5.2). */
export type IntrospectionCallers = Pick<CallerMemory<IntrospectionCaller>, 'known' | 'identify'>;

/**
 * The callers of a service. `identify` refuses with `invalid_request`, `invalid_client` or `access_denied`. With a watch
 * on clients what was read of them and who proved itself is remembered until something of them changes.
 */
export function introspectionCallers(given: IntrospectionServiceDeps): IntrospectionCallers {
  const { watch } = given;
  const clients = watch === undefined ? given.clients : rememberedClients(given.clients, watch);
  const deps = { ...given, clients, bearerAccess: bearerAccessReader(given) };
  const grant = (client: Client) => grantIntrospection(client, given.issuer);
  const memory = watch && callerMemory({ auth: deps, watch, grant });
  const noteUse = (caller: IntrospectionCaller): IntrospectionCaller => {
    given.clientUses?.record({ id: caller.clientId });
    return caller;
  };
  const identify: IntrospectionCallers['identify'] = async (request) => {
    const bearer = parseBearer(request.authorization);
    if (bearer.kind !== 'none') {
      const token = bearer.kind === 'bearer' ? bearer.token : undefined;
      return authorizeByBearer(deps, { ...request, token });
    }
    if (memory !== undefined) return memory.identify(request);
    const { client } = await authenticateClient(deps, request);
    return grant(client);
  };
  return {
    known: (request) => {
      const caller = memory?.known(request);
      return caller && noteUse(caller);
    },
    identify: async (request) => noteUse(await identify(request)),
  };
}

/** Reads the access tokens that callers present with the same eyes as those that they ask about. */
export function bearerAccessReader(deps: TokenStateDeps): BearerAccessReader {
  return {
    read: async (text) => {
      const token = await readLiveToken(deps, text);
      if (token === undefined) return undefined;
      const { clientId, scope, audience, confirmation } = token;
      return { clientId, scope, audience, senderConstrained: confirmation !== undefined };
    },
  };
}
