/** Span attributes: fixed words and numbers, never a secret, a token, a query or a body. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** An operation to trace. */
export interface SpanStart {
  /** Fixed name of the operation, such as the name of a statement, never its values. */
  readonly name: string;
  /** `client` for an outgoing request, `consumer` for work taken from a queue. */
  readonly kind: 'client' | 'consumer';
  readonly attributes?: SpanAttributes;
  /** The parent trace context, if it is not the active one (W3C Trace Context section 3.2). */
  readonly traceparent?: string | undefined;
}

/** An active span. */
export interface Span {
  /** Adds attributes. */
  setAttributes(attributes: SpanAttributes): void;
  /** Marks the span as failed, with a fixed reason. */
  fail(reason: string): void;
}

/** Traces the operations of requests. Without a tracer nothing is recorded, at no cost. */
export interface Tracer {
  /**
   * Runs an operation in a span of the active or given trace; without a recorded trace it just runs. An error marks the
   * span as failed and is rethrown.
   */
  span<T>(start: SpanStart, operate: (span: Span) => Promise<T>): Promise<T>;
  /** Trace context of the active span, for work that continues elsewhere; absent if nothing is recorded. */
  traceparent(): string | undefined;
}
