import { type IntrospectionCaller, InvalidClientError } from '@vestibule/client-auth';
import { ENDPOINT_PATH } from '@vestibule/protocol';
import {
  documentedFamily,
  type FamilyOptions,
  formBody,
  type Hook,
  JSON_CONTENT_TYPE,
  type Reply,
  type Route,
  route,
} from '@vestibule/service-kit';
import {
  type IntrospectionFormat,
  introspectionFormat,
  introspectKnownInWriting,
  inWriting,
  type WrittenIntrospection,
  withinDeadline,
} from '@vestibule/tokens';
import type { FastifyPluginAsync } from 'fastify';
import {
  type AccountedIntrospection,
  accountedIntrospection,
  type CallersQuestion,
} from './accounted-introspection.js';
import { INTROSPECT } from './api-description.js';
import { API_DOCUMENT_PATH, introspectionApi } from './api-document.js';
import type { IntrospectionServiceDeps } from './deps.js';
import { introspectionCallers } from './introspection-caller.js';
import { FORM_LIMITS, IntrospectionForm, IntrospectionQuery, parseQuestion } from './introspection-form.js';
import { nodeScheduler } from './node-scheduler.js';
import { INTROSPECTION_ERRORS } from './presentation.js';
import { answerSigner, SIGNED_CONTENT_TYPE } from './signed-answers.js';

/** The introspection endpoint as a Fastify plugin, for a server that `createServer` made. */
export const introspectionRoutes: FastifyPluginAsync<IntrospectionServiceDeps> = async (app, deps) => {
  const family = introspectionFamily(deps);
  const document = introspectionApi(family, deps.issuer);
  await app.register(
    documentedFamily(family, { path: API_DOCUMENT_PATH, document, hasPage: deps.hasApiPage }),
  );
};

/** The operation of the endpoint, and what its answers have in common. */
export function introspectionFamily(deps: IntrospectionServiceDeps): FamilyOptions {
  return {
    name: 'introspection',
    body: formBody(FORM_LIMITS),
    errors: INTROSPECTION_ERRORS,
    successLevel: 'debug',
    routes: (resource) => resource(ENDPOINT_PATH.introspection, { POST: introspectToken(deps) }),
  };
}

/** What is sent, when all of it is known. */
interface Answer {
  readonly contentType: string;
  readonly body: string;
}

/**
 * POST /token/introspect: who asks, then what, then the answer in the wanted format
 * (introspection/API.md#introspect).
 */
function introspectToken(deps: IntrospectionServiceDeps): Route {
  const callers = introspectionCallers(deps);
  const accounted = accountedIntrospection(deps);
  const answerTo = async (question: CallersQuestion, format: IntrospectionFormat): Promise<Answer> => {
    if (format === 'json') return jsonOf(inWriting(deps, await accounted.inspect(question)));
    const sign = await answerSigner(deps, question.caller, format);
    const introspection = await accounted.inspect(question);
    return { contentType: SIGNED_CONTENT_TYPE[format], body: await sign(question.token, introspection) };
  };
  const quickly = quickAnswers(deps, accounted);
  const refuse = async (error: unknown): Promise<never> => {
    if (error instanceof InvalidClientError) {
      deps.countRefusal?.(error.refusal.reason);
      await deps.failedAuthentications?.release();
    }
    throw error;
  };
  return route({
    description: INTROSPECT,
    schema: { body: IntrospectionForm, querystring: IntrospectionQuery },
    onRequest: varyByAccept,
    handler: ({ headers: { authorization, accept }, body: form, raw }, reply) => {
      const format = deps.format ?? introspectionFormat(accept);
      const credentials = { authorization, form };
      const caller = callers.known(credentials);
      if (caller !== undefined && format === 'json') {
        const { token, revoke } = parseQuestion(form);
        return quickly({ token, revoke, caller }, reply);
      }
      const answer = (identified: IntrospectionCaller) =>
        answerTo({ ...parseQuestion(form), caller: identified }, format);
      const made = caller === undefined ? callers.identify(credentials, raw).then(answer) : answer(caller);
      // One time for all that is asked one after the other: the caller, its keys, the token.
      return withinDeadline(made, nodeScheduler).then((it) => void send(reply, it), refuse);
    },
  });
}

/** Answers callers that are known, in JSON: the hot path. Without a promise where nobody has to be asked. */
function quickAnswers(deps: IntrospectionServiceDeps, { account, ask }: AccountedIntrospection) {
  return (question: CallersQuestion, reply: Reply): Reply | Promise<void> => {
    const known = introspectKnownInWriting(deps, question);
    if (known === undefined) {
      // To use a token up, and why it was not, is asked one after the other too.
      const asked = question.revoke ? withinDeadline(ask(question), nodeScheduler) : ask(question);
      return asked.then((introspection) => void send(reply, jsonOf(inWriting(deps, introspection))));
    }
    const spent = account(question, known.decision);
    return spent === undefined
      ? send(reply, jsonOf(known))
      : spent.then(() => void send(reply, jsonOf(known)));
  };
}

/** Caches are told what the answer depends on, though none may keep it (RFC 9110 section 12.5.5). */
const varyByAccept: Hook = (_request, reply, done) => {
  reply.header('vary', 'Accept');
  done();
};

function jsonOf({ text }: WrittenIntrospection): Answer {
  return { contentType: JSON_CONTENT_TYPE, body: text };
}

function send(reply: Reply, { contentType, body }: Answer): Reply {
  reply.header('content-type', contentType);
  return reply.send(body);
}
