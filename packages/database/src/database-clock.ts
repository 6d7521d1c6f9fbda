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

/** What the database said, and when. */
interface Reading {
  readonly atMs: number;
  readonly epochMs: number;
  readonly roundTripMs: number;
}

/** By how much the clocks may come apart meanwhile, for each millisecond. */
const DRIFT = 0.001;

/** An answer that took longer says too little about the time. */
const MAX_ROUND_TRIP_MS = 250;
/** A machine that is off by less is believed: the way to the database and back is measured no better than roughly. */
const TRUSTED_MS = 1_000;

/**
 * The time of this machine while it is that of the database, give or take a second; otherwise the database's: processes
 * over one database then agree on when something expires. Between two questions that goes by the monotonic clock, so
 * that setting the machine's clock has no effect.
 */
export function databaseClock({ ask, clock, monotonic }: DatabaseClockOptions): DatabaseClock {
  let anchor: Reading | undefined;
  const nowMs = () => {
    const machineMs = clock.nowMs();
    if (anchor === undefined) return machineMs;
    const databaseMs = Math.floor(anchor.epochMs + monotonic() - anchor.atMs);
    return Math.abs(machineMs - databaseMs) < TRUSTED_MS ? machineMs : databaseMs;
  };
  return {
    nowMs,
    adjust: async () => {
      const begunAtMs = monotonic();
      const toldMs = await ask();
      const endedAtMs = monotonic();
      const roundTripMs = endedAtMs - begunAtMs;
      if (roundTripMs > MAX_ROUND_TRIP_MS) return;
      // The answer was given somewhere on the way there and back: in the middle, give or take half of it.
      const reading = { atMs: (begunAtMs + endedAtMs) / 2, epochMs: toldMs, roundTripMs };
      if (anchor === undefined || isBetter(reading, anchor)) anchor = reading;
    },
  };
}

/** Whether a later reading tells more than an earlier one: it is as exact, or contradicts it. */
function isBetter(later: Reading, earlier: Reading): boolean {
  const driftMs = (later.atMs - earlier.atMs) * DRIFT;
  const apartMs = Math.abs(later.epochMs - earlier.epochMs - (later.atMs - earlier.atMs));
  const explainedMs = (later.roundTripMs + earlier.roundTripMs) / 2 + driftMs;
  return later.roundTripMs <= earlier.roundTripMs + driftMs || apartMs > explainedMs;
}
