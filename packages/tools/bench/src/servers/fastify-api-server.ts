import { accessTokenOf, protect } from '@vestibule/resource-server/fastify';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { Type } from 'typebox';
import {
  API_PATH,
  ApiConfiguration,
  IntrospectingLibrary,
  SUBJECT_HEADER,
  type TokenRequirements,
} from './api-configuration.js';
import { apiResourceServer } from './api-resource-server.js';
import { type IntrospectingCheck, introspectingCheck } from './introspecting-check.js';
import { serveParent } from './serve-parent.js';

const Configuration = Type.Intersect([
  ApiConfiguration,
  /** Without a library, @vestibule/resource-server checks the tokens. */
  Type.Object({ library: Type.Optional(IntrospectingLibrary) }),
]);

/** A check before the handler, and the subject of a request that passed it. */
interface TokenCheck {
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  readonly subjectOf: (request: FastifyRequest) => string | undefined;
}

const CREDENTIALS = /^Bearer +([\w.~+/-]+=*)$/i;

// An API on Fastify that checks the access token of each request.
await serveParent(Configuration, async ({ library, requirements, body }) => {
  const app = fastify();
  const { onRequest, subjectOf } =
    library === undefined
      ? verification(requirements)
      : introspection(app, await introspectingCheck(library, requirements));
  app.get(API_PATH, { onRequest }, async (request, reply) =>
    reply.header(SUBJECT_HEADER, subjectOf(request)).header('content-type', 'application/json').send(body),
  );
  return {
    listen: async () => Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port),
  };
});

function verification(requirements: TokenRequirements): TokenCheck {
  const { scope } = requirements;
  return {
    onRequest: protect(apiResourceServer(requirements), { scope }),
    subjectOf: (request) => accessTokenOf(request).subject,
  };
}

function introspection(app: FastifyInstance, subjectFor: IntrospectingCheck): TokenCheck {
  app.decorateRequest('subject', '');
  return {
    onRequest: async (request, reply) => {
      const token = CREDENTIALS.exec(request.headers.authorization ?? '')?.[1];
      const subject = token === undefined ? undefined : await subjectFor(token);
      if (subject === undefined)
        return reply.code(401).header('www-authenticate', 'Bearer error="invalid_token"').send();
      request.setDecorator('subject', subject);
      return undefined;
    },
    subjectOf: (request) => request.getDecorator<string>('subject'),
  };
}
