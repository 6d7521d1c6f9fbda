import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { RequestTracer } from '@vestibule/http/observability';
import type { Span } from '@vestibule/protocol';

const KINDS = { client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;

/** A span that is not recorded. */
const UNRECORDED: Span = { setAttributes: () => undefined, fail: () => undefined };

/**
 * Creates a tracer on top of OpenTelemetry. Spans are related by asynchronous context, which slows down every promise
 * of the process, so it is enabled only while a request is being recorded.
 */
export function otelTracer(otel: OtelTracer): RequestTracer {
  const active = new AsyncLocalStorage<OtelSpan>();
  let recorded = 0;
  const start = (name: string, kind: SpanKind, attributes: Attributes, context: Context) => {
    const span = otel.startSpan(name, { kind, attributes }, context);
    if (!span.isRecording()) return undefined;
    recorded += 1;
    return span;
  };
  const end = (span: OtelSpan) => {
    span.end();
    recorded -= 1;
    if (recorded === 0) active.disable();
  };
  return {
    begin: ({ name, attributes, traceparent }) => {
      const span = start(name, SpanKind.SERVER, attributes, remoteContext(traceparent) ?? ROOT_CONTEXT);
      return (
        span && {
          within: (go) => active.run(span, go),
          end: (more, failure) => {
            span.setAttributes(more);
            if (failure !== undefined) fail(span, failure);
            end(span);
          },
        }
      );
    },
    span: async ({ name, kind, attributes = {}, traceparent }, operate) => {
      const context = traceparent === undefined ? contextOf(active.getStore()) : remoteContext(traceparent);
      const span = context && start(name, KINDS[kind], attributes, context);
      if (span === undefined) return operate(UNRECORDED);
      try {
        const part: Span = {
          setAttributes: (more) => void span.setAttributes(more),
          fail: (reason) => fail(span, reason),
        };
        return await active.run(span, operate, part);
      } catch (error) {
        fail(span, 'error');
        throw error;
      } finally {
        end(span);
      }
    },
    traceparent: () => {
      const context = active.getStore()?.spanContext();
      return context && `00-${context.traceId}-${context.spanId}-01`;
    },
  };
}

function fail(span: OtelSpan, reason: string): void {
  span.setAttribute('error.type', reason);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function contextOf(span: OtelSpan | undefined): Context | undefined {
  return span && trace.setSpan(ROOT_CONTEXT, span);
}

/** Parses the trace context of the caller; `undefined` if it is invalid. */
function remoteContext(traceparent: string | undefined): Context | undefined {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  return parent === null ? undefined : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}
