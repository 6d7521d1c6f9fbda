import { type Clock, coalescedRuns, type MachineTime } from '@vestibule/protocol';
import type { StoreClock } from '@vestibule/tokens/cache';

/** Options of the database clock. */
export interface DatabaseClockOptions {
  /** Reads the time of the database, in milliseconds since the epoch. */
  readonly readEpochMs: () => Promise<number>;
  /** The clock to use until the time of the database is known. */
  readonly clock: Clock;
  /** Milliseconds of the monotonic clock, which stands still while the machine is paused. */
  readonly monotonic: () => number;
  /** Detects pauses of the machine and changes of its wall clock. */
  readonly machine: Pick<MachineTime, 'jumps'>;
}

/** A clock that follows the database, with its uncertainty. */
export interface DatabaseClock extends StoreClock {
  /** Reads the time of the database. If it rejects, the last known time stays in use. */
  adjust(): Promise<void>;
  /**
   * `undefined` while the time is known. After a pause of the machine it reads the time of the database, and resolves
   * when it is known again, or rejects.
   */
  settle(): Promise<void> | undefined;
  /** Number of detected pauses of the machine and changes of its wall clock. */
  jumps(): number;
}

/** A reading of the time of the database. */
interface Reading {
  readonly atMs: number;
  readonly epochMs: number;
  /** Half of the round trip, because the time was taken somewhere during it. */
  readonly errorMs: number;
}

/** How far the clocks may drift apart per millisecond. */
const DRIFT = 0.001;

/** With a greater uncertainty the time is read again, at most `MORE_LOOKS` times. */
const WELL_KNOWN_MS = 15;
const MORE_LOOKS = 2;

/** A response after a longer round trip is too inexact and ignored. */
const MAX_ROUND_TRIP_MS = 500;
/** More than the error of readings: if the database is this much behind, its clock was set back. */
const SET_BACK_MS = 1_000;

/**
 * Creates a clock that follows the time of the database and uses the monotonic clock between two readings. Processes
 * over one database agree on it within their known uncertainties, and changing the clock of a machine has no effect.
 *
 * When a later reading corrects an earlier one, the clock stands still instead of going back. It goes back only if the
 * clock of the database is set back by a second or more. The uncertainty is half of the round trip plus the drift since
 * then; it does not cover a change of the database's own clock until the next reading. After a pause of the machine,
 * during which the monotonic clock stands still, the time is unknown until it was read again.
 */
export function databaseClock({
  readEpochMs,
  clock,
  monotonic,
  machine,
}: DatabaseClockOptions): DatabaseClock {
  const { jumps } = machine;
  let anchor: Reading | undefined;
  /** Number of jumps at the last reading. */
  let settledJumps = jumps();
  let lastMs = Number.NEGATIVE_INFINITY;
  const nowMs = () => {
    if (anchor === undefined) return clock.nowMs();
    const timeMs = Math.floor(carriedOn(anchor, monotonic()));
    if (timeMs > lastMs || timeMs <= lastMs - SET_BACK_MS) lastMs = timeMs;
    return lastMs;
  };
  const look = async () => {
    const [begunAtMs, jumpsBefore] = [monotonic(), jumps()];
    const epochMs = await readEpochMs();
    const endedAtMs = monotonic();
    const roundTripMs = endedAtMs - begunAtMs;
    // Time that passes during a pause is not measured.
    if (jumps() !== jumpsBefore) return;
    const isSettled = jumpsBefore === settledJumps;
    if (roundTripMs > MAX_ROUND_TRIP_MS && isSettled) return;
    const reading = { atMs: (begunAtMs + endedAtMs) / 2, epochMs, errorMs: roundTripMs / 2 };
    if (anchor === undefined || !isSettled || isBetter(reading, anchor)) anchor = reading;
    settledJumps = jumpsBefore;
  };
  const adjust = async () => {
    await look();
    // The first responses of a process are slow, because they wait for a connection and for the compilation of code.
    for (let more = 0; more < MORE_LOOKS && !isKnownWell(anchor, monotonic()); more += 1) await look();
  };
  const settling = coalescedRuns(async () => {
    for (let looks = 0; looks <= MORE_LOOKS && jumps() !== settledJumps; looks += 1) await look();
    if (jumps() !== settledJumps)
      throw new Error('the time of the database is unknown after a pause of the machine');
  });
  const settle = () =>
    anchor === undefined || jumps() === settledJumps ? undefined : (settling.current ?? settling.next());
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

/** Whether a later reading is better than an earlier one: it is as exact, or contradicts it. */
function isBetter(later: Reading, earlier: Reading): boolean {
  const errorMs = errorAt(earlier, later.atMs);
  const apartMs = Math.abs(later.epochMs - carriedOn(earlier, later.atMs));
  return later.errorMs <= errorMs || apartMs > later.errorMs + errorMs;
}
