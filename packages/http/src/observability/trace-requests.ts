import type { HookHandlerDoneFunction } from 'fastify';
import type { HeadHook } from '../routes/route.js';
import type { Reply, Request } from '../server/fastify-types.js';
import type { Operation } from './observer.js';
import { requestMember } from './request-member.js';
import { failureOf } from './request-outcome.js';
import type { RequestTrace, RequestTracer } from './request-tracer.js';

/** Hooks that trace the requests of an operation. */
export interface TraceHooks {
  /** Replaces the first hook and calls it. */
  readonly first: HeadHook;
  /** Runs after the body was read, because that happens outside the context of the first hook. */
  readonly resume: (request: Request, reply: Reply, done: HookHandlerDoneFunction) => void;
}

/** Traces the requests of an operation from the headers to the end of the response. */
export function traceRequests(tracer: RequestTracer, operation: Operation, first: HeadHook): TraceHooks {
  const { routeGroup, method, route } = operation;
  const name = `${method} ${route}`;
  const traces = requestMember<RequestTrace>('trace');
  return {
    first(request, reply, done) {
      const { traceparent } = request.headers;
      const trace = tracer.begin({
        name,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'vestibule.route_group': routeGroup,
        },
        traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      });
      if (trace === undefined) return first.call(this, request, reply, done);
      traces.set(request.raw, trace);
      reply.raw.once('close', () => endTrace(trace, request, reply));
      trace.within(() => first.call(this, request, reply, done));
    },
    resume: (request, _reply, done) => {
      const trace = traces.get(request.raw);
      if (trace === undefined) done();
      else trace.within(done);
    },
  };
}

function endTrace(trace: RequestTrace, request: Request, reply: Reply): void {
  const { statusCode, writableFinished } = reply.raw;
  const code = failureOf(request)?.error.code;
  const attributes = {
    'http.response.status_code': statusCode,
    'vestibule.request_id': request.id,
    'vestibule.outcome': code ?? (writableFinished ? 'ok' : 'aborted'),
  };
  trace.end(attributes, statusCode >= 500 ? (code ?? 'server_error') : undefined);
}
