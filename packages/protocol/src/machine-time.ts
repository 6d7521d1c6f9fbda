import type { Clock } from './clock.js';

/** The clocks of a machine that may be paused, such as a suspended laptop or a migrated virtual machine. */
export interface MachineTime {
  /** Milliseconds of a clock that includes pauses and never goes back. */
  monotonic(): number;
  /** Number of sudden differences between wall clock and monotonic clock. */
  jumps(): number;
}

/** The two clocks of a machine. */
export interface MachineClocks {
  readonly wall: Clock;
  /** Milliseconds since an arbitrary start, without pauses. */
  readonly monotonicMs: () => number;
}

/** More than the usual correction of a wall clock, in milliseconds. */
const MAX_APART_MS = 1_000;

/**
 * Compares the clocks on every call. A pause and a changed wall clock look the same: both count as a jump, and the
 * difference as time that has passed, so everything with a limited lifetime has expired.
 */
export function machineTime({ wall, monotonicMs }: MachineClocks): MachineTime {
  let apartMs = wall.nowMs() - monotonicMs();
  let jumpedMs = 0;
  let jumps = 0;
  const compare = (): number => {
    const nowMs = monotonicMs();
    const presentMs = wall.nowMs() - nowMs;
    const jumpMs = Math.abs(presentMs - apartMs);
    // Follow small differences, which add up over days.
    apartMs = presentMs;
    if (jumpMs > MAX_APART_MS) {
      jumps += 1;
      jumpedMs += jumpMs;
    }
    return nowMs + jumpedMs;
  };
  return {
    monotonic: compare,
    jumps: () => {
      compare();
      return jumps;
    },
  };
}
