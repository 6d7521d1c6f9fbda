import { ENDPOINT_PATH } from '@vestibule/protocol';
import { endpointFamily, formBody, JSON_CONTENT_TYPE, type Route, route } from '@vestibule/service-kit';
import { introspect } from '@vestibule/tokens';
import type { FastifyPluginAsync } from 'fastify';
import type { IntrospectionServiceDeps } from './deps.js';
import { bearerAccessReader, identifyCaller } from './introspection-caller.js';
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
  const callerDeps = { ...deps, bearerAccess: bearerAccessReader(deps) };
  return route({
    schema: { body: IntrospectionForm, querystring: IntrospectionQuery },
    handler: async ({ headers: { authorization }, body: form }, reply) => {
      const caller = await identifyCaller(callerDeps, { authorization, form });
      const { answer } = await introspect(deps, { ...parseQuestion(form), caller });
      reply.header('content-type', JSON_CONTENT_TYPE);
      return reply.send(JSON.stringify(answer));
    },
  });
}
