import type { SpanAttributes, Tracer } from '@vestibule/protocol';

/** A traced request. */
export interface RequestTrace {
  /** Runs a function in the context of this trace. */
  within<T>(go: () => T): T;
  /**
   * Ends the span once.
   * @param failure the cause of an internal error
   */
  end(attributes: SpanAttributes, failure?: string): void;
}

/** An incoming request. */
export interface ArrivingRequest {
  /** Method and route pattern. */
  readonly name: string;
  readonly attributes: SpanAttributes;
  /** `traceparent` header of the caller (W3C Trace Context section 3.2). */
  readonly traceparent?: string | undefined;
}

/** A tracer that can start traces for requests. */
export interface RequestTracer extends Tracer {
  /** Starts a trace for a request; `undefined` if it is not sampled. */
  begin(request: ArrivingRequest): RequestTrace | undefined;
}
