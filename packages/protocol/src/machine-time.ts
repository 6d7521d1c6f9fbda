import type { Clock } from './clock.js';

/** The time of a machine that may be paused: a suspended laptop, a virtual machine that is moved. */
export interface MachineTime {
  /** Milliseconds of a clock that goes on while the machine is paused, and never goes back. */
  monotonic(): number;
  /** How often the wall clock and the monotonic clock of the machine have come apart at once. */
  jumps(): number;
}

/** The two clocks of a machine. */
export interface MachineClocks {
  readonly wall: Clock;
  /** Milliseconds since some moment, without those in which the machine was paused. */
  readonly monotonicMs: () => number;
}

/** More than a wall clock is corrected by as a rule, in milliseconds. */
const MAX_APART_MS = 1_000;

/**
 * Compares the clocks whenever it is asked. A pause and a wall clock that was set look the same: both count as a jump,
 * and the time of the jump as passed, so that everything that holds for a while has ended.
 */
export function machineTime({ wall, monotonicMs }: MachineClocks): MachineTime {
  let apartMs = wall.nowMs() - monotonicMs();
  let jumpedMs = 0;
  let jumps = 0;
  const compare = (): number => {
    const nowMs = monotonicMs();
    const presentMs = wall.nowMs() - nowMs;
    const jumpMs = Math.abs(presentMs - apartMs);
    // Small differences are followed: they add up over days.
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
