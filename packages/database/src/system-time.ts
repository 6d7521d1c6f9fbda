import { type MachineTime, machineTime, systemClock } from '@vestibule/protocol';

/** The time of the machine that this process runs on. */
export const systemTime: MachineTime = machineTime({
  wall: systemClock,
  monotonicMs: () => performance.now(),
});
