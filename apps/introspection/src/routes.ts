import { ENDPOINT_PATH } from '@vestibule/protocol';
import {
  endpointFamily,
  formBody,
  JSON_CONTENT_TYPE,
  type Reply,
  type Route,
  route,
} from '@vestibule/service-kit';
import {
  type Introspection,
  type IntrospectionRequest,
  introspect,
  introspectKnown,
} from '@vestibule/tokens';
import type { FastifyPluginAsync } from 'fastify';
import type { IntrospectionServiceDeps } from './deps.js';
import { introspectionCallers } from './introspection-caller.js';
import { IntrospectionForm, IntrospectionQuery, parseQuestion } from './introspection-form.js';
import { INTROSPECTION_ERRORS } from './presentation.js';

/** The introspection endpoint as a Fastify plugin, for a server that `createServer` made. */
export const introspectionRoutes: FastifyPluginAsync<IntrospectionServiceDeps> = async (app, deps) => {
  await app.register(
    endpointFamily({
      name: 'introspection',
      body: formBody(),
      errors: INTROSPECTION_ERRORS,
      successLevel: 'debug',
      routes: (resource) => resource(ENDPOINT_PATH.introspection, { POST: introspectToken(deps) }),
    }),
  );
};

/** POST /token/introspect: who asks, then what, then the answer (Seed 4.6). */
function introspectToken(deps: IntrospectionServiceDeps): Route {
  const callers = introspectionCallers(deps);
  const answer = async (reply: Reply, request: IntrospectionRequest) =>
    send(reply, introspectKnown(deps, request) ?? (await introspect(deps, request)));
  return route({
    schema: { body: IntrospectionForm, querystring: IntrospectionQuery },
    handler: ({ headers: { authorization }, body: form }, reply) => {
      const credentials = { authorization, form };
      const caller = callers.known(credentials);
      if (caller === undefined)
        return callers
          .identify(credentials)
          .then((identified) => answer(reply, { ...parseQuestion(form), caller: identified }));
      const { token, revoke } = parseQuestion(form);
      const request = { token, revoke, caller };
      const known = introspectKnown(deps, request);
      // Without a promise where nobody has to be asked: this is the hot path.
      return known === undefined ? answer(reply, request) : send(reply, known);
    },
  });
}

const INACTIVE_BODY = '{"active":false}';

function send(reply: Reply, { decision, answer }: Introspection): Reply {
  reply.header('content-type', JSON_CONTENT_TYPE);
  return reply.send(decision.active ? JSON.stringify(answer) : INACTIVE_BODY);
}
