import { type MachineTime, machineTime, systemClock } from '@vestibule/protocol';

/** The clocks of this machine. */
export const systemTime: MachineTime = machineTime({
  wall: systemClock,
  monotonicMs: () => performance.now(),
});
