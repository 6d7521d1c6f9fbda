import type { CacheTag } from './cache-tag.js';

/** A change that was committed, and that may have made a remembered state wrong. */
export type Invalidation =
  /** Identifier-based tokens are gone or different, by the names of their digests. */
  | { readonly kind: 'tokens'; readonly digests: readonly CacheTag[] }
  /** Something that tokens depend on has changed. */
  | { readonly kind: 'facts'; readonly names: readonly CacheTag[] }
  /** Anything may have changed. */
  | { readonly kind: 'everything' };

/** Who is told. Nothing of it may throw. */
export interface RevocationListener {
  /** From now on every change is announced; those before were not. */
  onStarted(): void;
  /** May come late, more than once and in any order. */
  onInvalidation(invalidation: Invalidation): void;
  /** Invalidation events may have been missed from the last proof on, and will be until the next start. */
  onLost(): void;
}

/** Tells of changes of the store, whoever makes them, and how complete the telling is. */
export interface InvalidationStream {
  /** Adds a listener, for good; one that comes late is told at once that the invalidation stream has started. */
  subscribe(listener: RevocationListener): void;
  /**
   * The moment up to which nothing is missing: every change that was committed before it, since the start, has been
   * announced. Milliseconds of the monotonic clock; `-Infinity` when there is no such moment.
   */
  watermarkMs(): number;
  /** True when every change that was committed before the call has been announced; false when that cannot be told. */
  catchUp(): Promise<boolean>;
}

/** A clock that never jumps; in milliseconds from some moment. */
export type MonotonicClock = () => number;
