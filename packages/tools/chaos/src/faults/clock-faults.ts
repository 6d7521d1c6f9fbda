import { openFalseTime } from '../processes/false-time.js';
import { type Fault, HEALTHY } from '../trials/fault.js';

const WRONG_SECONDS = 120;

/** Faults of one instance's clock. */
export const CLOCK_FAULTS: readonly Fault[] = [
  clockFault('ahead', WRONG_SECONDS),
  clockFault('behind', -WRONG_SECONDS),
];

function clockFault(direction: 'ahead' | 'behind', secondsAhead: number): Fault {
  return {
    id: `clock-${direction}`,
    title: `the clock of one instance is two minutes ${direction}`,
    seconds: 10,
    limits: HEALTHY,
    prepare: async ({ log }, toEnd) => {
      const time = await openFalseTime(log, toEnd);
      await time.moveTo(secondsAhead);
      return { secondEnvironment: time.environment };
    },
    begin: async () => async () => undefined,
  };
}
