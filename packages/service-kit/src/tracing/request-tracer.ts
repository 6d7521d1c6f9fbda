import type { SpanFacts, Tracer } from '@vestibule/protocol';

/** A request that is recorded. */
export interface RequestTrace {
  /** Goes on with it: what is done inside, and what that leads to, belongs to this trace. */
  within<T>(go: () => T): T;
  /** Ends it, once. @param failure why it failed, where the fault was ours */
  end(facts: SpanFacts, failure?: string): void;
}

/** A request that arrives. */
export interface ArrivingRequest {
  /** Method and pattern of the route. */
  readonly name: string;
  readonly facts: SpanFacts;
  /** What the caller says of its own trace (W3C Trace Context section 3.2). */
  readonly traceparent?: string | undefined;
}

/** A tracer with which the traces of a service begin. */
export interface RequestTracer extends Tracer {
  /** Begins to record a request; `undefined` when it is not recorded. */
  begin(request: ArrivingRequest): RequestTrace | undefined;
}
