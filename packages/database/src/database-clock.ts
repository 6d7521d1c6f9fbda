import type { Clock } from '@vestibule/protocol';

/** What the clock is made of. */
export interface DatabaseClockOptions {
  /** The database's time, in milliseconds since the epoch. */
  readonly ask: () => Promise<number>;
  /** What counts until the database has said its time. */
  readonly clock: Clock;
  /** Milliseconds of a clock that nobody sets. */
  readonly monotonic: () => number;
}

/** A clock that goes as that of the database does. */
export interface DatabaseClock extends Clock {
  /** Asks the database for its time. Rejects when it does not say; then what it said last counts. */
  adjust(): Promise<void>;
}

/** An answer that took longer says too little about the time. */
const MAX_ROUND_TRIP_MS = 250;
/** Less than this is left as it is, so that the time does not jump to and fro. */
const TOLERANCE_MS = 100;

/**
 * The time as the database has it, whatever the clock of this machine says: processes over one database then agree on
 * when something expires. Between two questions it goes by the monotonic clock, so that setting the machine's clock has
 * no effect.
 */
export function databaseClock({ ask, clock, monotonic }: DatabaseClockOptions): DatabaseClock {
  let anchor: { readonly atMs: number; readonly epochMs: number } | undefined;
  const nowMs = () => {
    if (anchor === undefined) return clock.nowMs();
    return Math.floor(anchor.epochMs + monotonic() - anchor.atMs);
  };
  return {
    nowMs,
    adjust: async () => {
      const begunAtMs = monotonic();
      const toldMs = await ask();
      const endedAtMs = monotonic();
      if (endedAtMs - begunAtMs > MAX_ROUND_TRIP_MS) return;
      const middleMs = (begunAtMs + endedAtMs) / 2;
      const epochMs = toldMs + endedAtMs - middleMs;
      if (anchor !== undefined && Math.abs(epochMs - nowMs()) < TOLERANCE_MS) return;
      anchor = { atMs: endedAtMs, epochMs };
    },
  };
}
