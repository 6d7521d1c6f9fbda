import type { Clock } from '@vestibule/protocol';
import type { StoreClock } from '@vestibule/tokens';

/** What the clock is made of. */
export interface DatabaseClockOptions {
  /** The database's time, in milliseconds since the epoch. */
  readonly ask: () => Promise<number>;
  /** What counts until the database has said its time. */
  readonly clock: Clock;
  /** Milliseconds of a clock that nobody sets. */
  readonly monotonic: () => number;
}

/** A clock that goes as that of the database does, and knows how well. */
export interface DatabaseClock extends StoreClock {
  /** Asks the database for its time. Rejects when it does not say; then what it said last counts. */
  adjust(): Promise<void>;
}

/** What the database said, and when. */
interface Reading {
  readonly atMs: number;
  readonly epochMs: number;
  /** The answer was given somewhere on the way there and back: in the middle, give or take half of it. */
  readonly errorMs: number;
}

/** By how much the clocks may come apart meanwhile, for each millisecond. */
const DRIFT = 0.001;

/** Whoever may be further off asks again, at most so many times. */
const WELL_KNOWN_MS = 15;
const MORE_LOOKS = 2;

/** An answer that took longer says too little about the time. */
const MAX_ROUND_TRIP_MS = 500;
/** More than readings can be wrong by: a database that is so much earlier than it was has had its clock set. */
const SET_BACK_MS = 1_000;

/**
 * The time of the database, carried on by the monotonic clock between two questions: processes over one database agree
 * on it, give or take what each knows of its own error, and setting the clock of a machine has no effect. It stands
 * still rather than go back where a later answer corrects an earlier one; it goes back only as the clock of the
 * database is set back, by a second or more. The error is half of the way there and back, and what clocks may come
 * apart since; it does not cover that the database's own clock is set, until that is asked for again.
 */
export function databaseClock({ ask, clock, monotonic }: DatabaseClockOptions): DatabaseClock {
  let anchor: Reading | undefined;
  let saidMs = Number.NEGATIVE_INFINITY;
  const nowMs = () => {
    if (anchor === undefined) return clock.nowMs();
    const toldMs = Math.floor(carriedOn(anchor, monotonic()));
    if (toldMs > saidMs || toldMs <= saidMs - SET_BACK_MS) saidMs = toldMs;
    return saidMs;
  };
  const look = async () => {
    const begunAtMs = monotonic();
    const epochMs = await ask();
    const endedAtMs = monotonic();
    const roundTripMs = endedAtMs - begunAtMs;
    if (roundTripMs > MAX_ROUND_TRIP_MS) return;
    const reading = { atMs: (begunAtMs + endedAtMs) / 2, epochMs, errorMs: roundTripMs / 2 };
    if (anchor === undefined || isBetter(reading, anchor)) anchor = reading;
  };
  return {
    nowMs,
    errorMs: () => {
      if (anchor === undefined) return Number.POSITIVE_INFINITY;
      const nowAtMs = monotonic();
      return errorAt(anchor, nowAtMs) + Math.abs(nowMs() - carriedOn(anchor, nowAtMs));
    },
    adjust: async () => {
      await look();
      // The first answers of a process are late ones: they wait for a connection, and for code that is yet to be
      // compiled.
      for (let more = 0; more < MORE_LOOKS && !isKnownWell(anchor, monotonic()); more += 1) await look();
    },
  };
}

function carriedOn({ epochMs, atMs }: Reading, nowMs: number): number {
  return epochMs + nowMs - atMs;
}

function errorAt({ errorMs, atMs }: Reading, nowMs: number): number {
  return errorMs + (nowMs - atMs) * DRIFT;
}

function isKnownWell(anchor: Reading | undefined, nowMs: number): boolean {
  return anchor !== undefined && errorAt(anchor, nowMs) <= WELL_KNOWN_MS;
}

/** Whether a later reading tells more than an earlier one: it is as exact, or contradicts it. */
function isBetter(later: Reading, earlier: Reading): boolean {
  const errorMs = errorAt(earlier, later.atMs);
  const apartMs = Math.abs(later.epochMs - carriedOn(earlier, later.atMs));
  return later.errorMs <= errorMs || apartMs > later.errorMs + errorMs;
}
