/** What is said of an operation in a trace: our own words and numbers, never a secret, a token, a query or a body. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** An operation that is about to begin. */
export interface SpanStart {
  /** What is done, in words of our own: the name of a statement, never its values. */
  readonly name: string;
  /** Whether we ask someone else, or take on what someone left for us. */
  readonly kind: 'client' | 'consumer';
  readonly facts?: SpanFacts;
  /** The trace that it belongs to, where that is not the one under way (W3C Trace Context section 3.2). */
  readonly traceparent?: string | undefined;
}

/** An operation under way. */
export interface Span {
  /** Adds to what is said of it. */
  note(facts: SpanFacts): void;
  /** Says that it failed, and why in a word of our own. */
  fail(reason: string): void;
}

/** Records what a request does, operation by operation. Whoever has none records nothing, at no cost. */
export interface Tracer {
  /**
   * Carries something out as a part of the trace under way, or of the one that is named; where there is none, or it is
   * not recorded, it is merely carried out. What it throws counts as a failure and is passed on.
   */
  span<T>(start: SpanStart, operate: (span: Span) => Promise<T>): Promise<T>;
  /** The operation under way, for those who go on with it elsewhere; absent where nothing is recorded. */
  traceparent(): string | undefined;
}
