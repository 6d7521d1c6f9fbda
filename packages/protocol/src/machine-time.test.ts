import { describe, expect, it } from 'vitest';
import { machineTime } from './machine-time.js';

/** A machine whose clocks are set by the test. */
function aMachine() {
  const clocks = { wallMs: 1_700_000_000_000, monotonicMs: 5_000 };
  const time = machineTime({
    wall: { nowMs: () => clocks.wallMs },
    monotonicMs: () => clocks.monotonicMs,
  });
  const pass = (ms: number) => {
    clocks.wallMs += ms;
    clocks.monotonicMs += ms;
  };
  return { time, clocks, pass };
}

describe('machineTime', () => {
  it('advances with the monotonic clock, however long it is not read', () => {
    const { time, pass } = aMachine();
    for (const ms of [1, 999, 60_000, 86_400_000]) {
      const before = time.monotonic();
      pass(ms);
      expect(time.monotonic() - before).toBe(ms);
    }
    expect(time.jumps()).toBe(0);
  });

  it('counts a suspension as passed time once, and reports it as a jump, whichever is read first', () => {
    for (const first of ['monotonic', 'jumps'] as const) {
      const { time, clocks } = aMachine();
      const before = time.monotonic();
      clocks.wallMs += 12_000;
      time[first]();
      for (let round = 0; round < 3; round += 1)
        expect([time.monotonic() - before, time.jumps()]).toEqual([12_000, 1]);
    }
  });

  it('treats a wall clock that was set as a suspension, whatever the direction, and never goes back', () => {
    const { time, clocks } = aMachine();
    const before = time.monotonic();
    clocks.wallMs -= 120_000;
    expect([time.monotonic() - before, time.jumps()]).toEqual([120_000, 1]);
  });

  it('follows a wall clock that is corrected in small steps', () => {
    const { time, clocks } = aMachine();
    const before = time.monotonic();
    for (let step = 0; step < 100; step += 1) {
      clocks.wallMs += step % 3 === 0 ? -1_000 : 1_000;
      expect([time.monotonic() - before, time.jumps()]).toEqual([0, 0]);
    }
  });
});
