import type { Clock } from '@vestibule/protocol';

/** When a breaker opens. */
export interface CircuitBreakerOptions {
  readonly clock: Clock;
  /** How many failures open it, default 5. */
  readonly failures?: number;
  /** Within what time those failures have to lie, in milliseconds, default 1,000. */
  readonly windowMs?: number;
}

/** Remembers whether a dependency is worth asking. Makes no call itself and has no timers. */
export interface CircuitBreaker {
  readonly isOpen: boolean;
  /** Counts a failure at present. True when this one opened the breaker. */
  failed(): boolean;
  /** Closes the breaker and forgets the failures. */
  close(): void;
}

const FAILURES = 5;
const WINDOW_MS = 1_000;

/**
 * A closed breaker, which opens with the given number of failures inside the window and stays open until it is
 * closed. Successes between failures change nothing: a dependency that fails that often is slower than doing without.
 */
export function circuitBreaker({
  clock,
  failures = FAILURES,
  windowMs = WINDOW_MS,
}: CircuitBreakerOptions): CircuitBreaker {
  let isOpen = false;
  let failedAtMs: readonly number[] = [];
  return {
    get isOpen() {
      return isOpen;
    },
    failed: () => {
      if (isOpen) return false;
      const now = clock.nowMs();
      // A failure of the future is one from before the clock was set back: it says nothing about the last second.
      failedAtMs = [...failedAtMs.filter((at) => at <= now && now - at < windowMs), now];
      isOpen = failedAtMs.length >= failures;
      return isOpen;
    },
    close: () => {
      isOpen = false;
      failedAtMs = [];
    },
  };
}
