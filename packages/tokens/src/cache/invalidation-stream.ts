import type { CacheTag } from './cache-tag.js';

/** A committed change that may have made cached states outdated. */
export type Invalidation =
  /** Identifier-based tokens were deleted or changed. */
  | { readonly kind: 'tokens'; readonly digests: readonly CacheTag[] }
  /** Entities that tokens depend on have changed. */
  | { readonly kind: 'entities'; readonly tags: readonly CacheTag[] }
  /** Anything may have changed. */
  | { readonly kind: 'everything' };

/** Receives the events of an invalidation stream. Its functions must not throw. */
export interface RevocationListener {
  /** The stream has started: changes from now on are announced, earlier ones are not. */
  onStarted(): void;
  /** A change was announced. Events may arrive late, repeatedly and in any order. */
  onInvalidation(invalidation: Invalidation): void;
  /** The stream is interrupted: events since the last watermark and until the next start may be missed. */
  onLost(): void;
}

/** Announces changes of the store by any program, and up to which time the announcements are complete. */
export interface InvalidationStream {
  /** Adds a listener for good. If the stream has started already, `onStarted` is called at once. */
  subscribe(listener: RevocationListener): void;
  /**
   * The watermark: every change since the start that was committed before it has been announced. Milliseconds of the
   * monotonic clock; `-Infinity` without a watermark.
   */
  watermarkMs(): number;
  /** Waits until every change that was committed before the call has been announced. False when that is unknown. */
  catchUp(): Promise<boolean>;
}
