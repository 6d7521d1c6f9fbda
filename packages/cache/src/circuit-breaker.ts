import type { Clock } from '@vestibule/protocol';

/** Options of a circuit breaker. */
export interface CircuitBreakerOptions {
  readonly clock: Clock;
  /** Failures that open it. Default 5. */
  readonly failures?: number;
  /** Window in which the failures have to occur, in milliseconds. Default 1,000. */
  readonly windowMs?: number;
}

/** State of a circuit breaker. Makes no calls and has no timers. */
export interface CircuitBreaker {
  readonly isOpen: boolean;
  /** Counts a failure now. True when this one opened the breaker. */
  failed(): boolean;
  /** Closes the breaker and forgets the failures. */
  close(): void;
}

const FAILURES = 5;
const WINDOW_MS = 1_000;

/**
 * Creates a closed breaker. It opens after the given number of failures inside the window and stays open until it is
 * closed. Successes between failures do not matter: a dependency that fails that often is slower than no dependency.
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
      // A failure in the future was counted before the clock was set back, so it is outside the window.
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
