import type { CacheTag } from './cache-tag.js';

/** The cached states that a change may have made outdated. */
export type InvalidatedStates =
  /** Identifier-based tokens were deleted or changed. */
  | { readonly kind: 'tokens'; readonly digests: readonly CacheTag[] }
  /** Entities that tokens depend on have changed. */
  | { readonly kind: 'entities'; readonly tags: readonly CacheTag[] }
  /** Anything may have changed. */
  | { readonly kind: 'everything' };

/** A committed change that may have made cached states outdated. */
export type Invalidation = InvalidatedStates & {
  /** The transaction of the change. For an event of the stream itself, no earlier position is after it. */
  readonly transactionId: bigint;
};

/**
 * A position in the log of invalidation events: every event of an earlier transaction was delivered, and what is read from
 * the store at this position reflects all of them. Positions of different epochs cannot be compared.
 */
export interface StreamPosition {
  /** The log. It begins anew when the database has lost events. */
  readonly epoch: string;
  /** The oldest transaction that may still commit. */
  readonly transactionId: bigint;
  /** No event of this transaction or a later one was delivered. */
  readonly nextTransactionId: bigint;
}

/** Receives the events of an invalidation stream. Its functions must not throw. */
export interface RevocationListener {
  /** The stream has started: it has events for changes from now on, not for earlier ones. */
  onStarted(): void;
  /** An event has arrived. Events may arrive late, repeatedly and in any order. */
  onInvalidation(invalidation: Invalidation): void;
  /** All events before the position were delivered. Called after each poll, also without events, and after the start. */
  onAdvanced(position: StreamPosition): void;
  /** The stream is interrupted: events since the last watermark and until the next start may be missed. */
  onLost(): void;
}

/** Delivers an event for every change of the store by any program, and knows up to which time events are complete. */
export interface InvalidationStream {
  /** Adds a listener for good. If the stream has started already, `onStarted` is called at once. */
  subscribe(listener: RevocationListener): void;
  /**
   * The watermark: the events of all changes that were committed between the start and this time have arrived. Milliseconds of the
   * monotonic clock; `-Infinity` without a watermark.
   */
  watermarkMs(): number;
  /** The position of the last `onAdvanced`. Absent before the start and while the stream is interrupted. */
  position(): StreamPosition | undefined;
  /** Waits until the events of all changes that were committed before the call have arrived. False when that is unknown. */
  catchUp(): Promise<boolean>;
}
