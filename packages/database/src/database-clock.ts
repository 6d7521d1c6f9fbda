import { type Clock, type MachineTime, sharedRuns } from '@vestibule/protocol';
import type { StoreClock } from '@vestibule/tokens';

/** What the clock is made of. */
export interface DatabaseClockOptions {
  /** The database's time, in milliseconds since the epoch. */
  readonly ask: () => Promise<number>;
  /** What counts until the database has said its time. */
  readonly clock: Clock;
  /** Milliseconds of a clock that nobody sets, which stands still while the machine is paused. */
  readonly monotonic: () => number;
  /** Knows when the machine was paused, or its wall clock set. */
  readonly machine: Pick<MachineTime, 'jumps'>;
}

/** A clock that goes as that of the database does, and knows how well. */
export interface DatabaseClock extends StoreClock {
  /** Asks the database for its time. Rejects when it does not say; then what it said last counts. */
  adjust(): Promise<void>;
  /**
   * `undefined` while the time is known. Once the machine was paused it is not: then the database is asked, and this
   * resolves when it has said its time, or rejects.
   */
  settle(): Promise<void> | undefined;
  /** How often the machine was paused, for all that is known, or its wall clock set. */
  jumps(): number;
}

/** What the database said, and when. */
interface Reading {
  readonly atMs: number;
  readonly epochMs: number;
  /** The response was given somewhere on the way there and back: in the middle, give or take half of it. */
  readonly errorMs: number;
}

/** By how much the clocks may come apart meanwhile, for each millisecond. */
const DRIFT = 0.001;

/** Whoever may be further off asks again, at most so many times. */
const WELL_KNOWN_MS = 15;
const MORE_LOOKS = 2;

/** A response that took longer says too little about the time. */
const MAX_ROUND_TRIP_MS = 500;
/** More than readings can be wrong by: a database that is so much earlier than it was has had its clock set. */
const SET_BACK_MS = 1_000;

/**
 * The time of the database, carried on by the monotonic clock between two questions: processes over one database agree
 * on it, give or take what each knows of its own error, and setting the clock of a machine has no effect. It stands
 * still rather than go back where a later answer corrects an earlier one; it goes back only as the clock of the
 * database is set back, by a second or more. The error is half of the way there and back, and what clocks may come
 * apart since; it does not cover that the database's own clock is set, until that is asked for again. After a pause of
 * the machine, in which the monotonic clock stands still, the time is not known until the database was asked.
 */
export function databaseClock({ ask, clock, monotonic, machine }: DatabaseClockOptions): DatabaseClock {
  const { jumps } = machine;
  let anchor: Reading | undefined;
  /** The jumps that there had been when the database last said its time. */
  let settledJumps = jumps();
  let saidMs = Number.NEGATIVE_INFINITY;
  const nowMs = () => {
    if (anchor === undefined) return clock.nowMs();
    const toldMs = Math.floor(carriedOn(anchor, monotonic()));
    if (toldMs > saidMs || toldMs <= saidMs - SET_BACK_MS) saidMs = toldMs;
    return saidMs;
  };
  const look = async () => {
    const [begunAtMs, jumpsBefore] = [monotonic(), jumps()];
    const epochMs = await ask();
    const endedAtMs = monotonic();
    const roundTripMs = endedAtMs - begunAtMs;
    // During a pause time passes that does not show.
    if (jumps() !== jumpsBefore) return;
    const isSettled = jumpsBefore === settledJumps;
    if (roundTripMs > MAX_ROUND_TRIP_MS && isSettled) return;
    const reading = { atMs: (begunAtMs + endedAtMs) / 2, epochMs, errorMs: roundTripMs / 2 };
    if (anchor === undefined || !isSettled || isBetter(reading, anchor)) anchor = reading;
    settledJumps = jumpsBefore;
  };
  const adjust = async () => {
    await look();
    // The first responses of a process are late ones: they wait for a connection, and for code that is yet to be
    // compiled.
    for (let more = 0; more < MORE_LOOKS && !isKnownWell(anchor, monotonic()); more += 1) await look();
  };
  const settling = sharedRuns(async () => {
    for (let looks = 0; looks <= MORE_LOOKS && jumps() !== settledJumps; looks += 1) await look();
    if (jumps() !== settledJumps) throw new Error('the database did not say its time after a pause');
  });
  const settle = () =>
    anchor === undefined || jumps() === settledJumps ? undefined : (settling.present ?? settling.next());
  return {
    nowMs,
    errorMs: () => {
      if (anchor === undefined || jumps() !== settledJumps) return Number.POSITIVE_INFINITY;
      const nowAtMs = monotonic();
      return errorAt(anchor, nowAtMs) + Math.abs(nowMs() - carriedOn(anchor, nowAtMs));
    },
    adjust,
    settle,
    jumps,
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
