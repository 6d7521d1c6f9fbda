import type { IntrospectionCaller } from '@vestibule/client-auth';
import { ENDPOINT_PATH } from '@vestibule/protocol';
import {
  endpointFamily,
  formBody,
  type Hook,
  JSON_CONTENT_TYPE,
  type Reply,
  type Route,
  route,
} from '@vestibule/service-kit';
import {
  type Introspection,
  type IntrospectionRequest,
  introspect,
  introspectionFormat,
  introspectKnown,
  introspectKnownInWriting,
  inWriting,
  type SignedFormat,
  type TokenDecision,
  type WrittenIntrospection,
  withinDeadline,
} from '@vestibule/tokens';
import type { FastifyPluginAsync } from 'fastify';
import type { IntrospectionServiceDeps } from './deps.js';
import { introspectionCallers } from './introspection-caller.js';
import { IntrospectionForm, IntrospectionQuery, parseQuestion } from './introspection-form.js';
import { nodeScheduler } from './node-scheduler.js';
import { INTROSPECTION_ERRORS } from './presentation.js';
import { answerSigner, SIGNED_CONTENT_TYPE } from './signed-answers.js';

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

/** Whom the answer is for, and about what. */
interface CallersQuestion extends IntrospectionRequest {
  readonly caller: IntrospectionCaller;
}

/** What is sent, when all of it is known. */
interface Answer {
  readonly contentType: string;
  readonly body: string;
}

/** POST /token/introspect: who asks, then what, then the answer in the wanted format (Seed 4.6). */
function introspectToken(deps: IntrospectionServiceDeps): Route {
  const callers = introspectionCallers(deps);
  /** Counts what was decided, and throws in place of an answer that is one too many. */
  const account = ({ caller }: CallersQuestion, decision: TokenDecision): Promise<void> | undefined => {
    deps.outcomes?.count(decision);
    return isGuess(decision) ? deps.inactiveBudget?.spend(caller.clientId) : undefined;
  };
  /** Asks only for who has a budget left; what this process knows to be alive costs nothing of it. */
  const ask = async (request: CallersQuestion): Promise<Introspection> => {
    deps.inactiveBudget?.admit(request.caller.clientId);
    const introspection = await introspect(deps, request);
    const spent = account(request, introspection.decision);
    if (spent !== undefined) await spent;
    return introspection;
  };
  const inspect = async (request: CallersQuestion): Promise<Introspection> => {
    const known = introspectKnown(deps, request);
    if (known === undefined) return ask(request);
    await account(request, known.decision);
    return known;
  };
  const signedAnswer = async (request: CallersQuestion, format: SignedFormat): Promise<Answer> => {
    const sign = await answerSigner(deps, request.caller, format);
    const { answer } = await inspect(request);
    return { contentType: SIGNED_CONTENT_TYPE[format], body: await sign(request.token, answer) };
  };
  const jsonAnswer = async (request: CallersQuestion): Promise<Answer> =>
    jsonOf(inWriting(await inspect(request)));
  return route({
    schema: { body: IntrospectionForm, querystring: IntrospectionQuery },
    onRequest: varyByAccept,
    handler: ({ headers: { authorization, accept }, body: form, raw }, reply) => {
      const format = deps.format ?? introspectionFormat(accept);
      const credentials = { authorization, form };
      const caller = callers.known(credentials);
      if (caller === undefined || format !== 'json') {
        const answer = (identified: IntrospectionCaller) => {
          const request = { ...parseQuestion(form), caller: identified };
          return format === 'json' ? jsonAnswer(request) : signedAnswer(request, format);
        };
        const made = caller === undefined ? callers.identify(credentials, raw).then(answer) : answer(caller);
        // One time for all that is asked one after the other: the caller, its keys, the token.
        return withinDeadline(made, nodeScheduler).then((it) => void send(reply, it));
      }
      const { token, revoke } = parseQuestion(form);
      const request = { token, revoke, caller };
      const known = introspectKnownInWriting(deps, request);
      if (known === undefined)
        return ask(request).then((introspection) => void send(reply, jsonOf(inWriting(introspection))));
      const spent = account(request, known.decision);
      // Without a promise where nobody has to be asked: this is the hot path.
      return spent === undefined
        ? send(reply, jsonOf(known))
        : spent.then(() => void send(reply, jsonOf(known)));
    },
  });
}

/** What no token can look like finds none, and callers pass on what others send them. */
function isGuess(decision: TokenDecision): boolean {
  return !decision.active && decision.reason !== 'malformed';
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
