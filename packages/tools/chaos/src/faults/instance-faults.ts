import { setTimeout as pause } from 'node:timers/promises';
import { type Fault, HEALTHY, UNNOTICED } from '../trials/fault.js';
import { repeating } from './repeating.js';

const KILL_EVERY_MS = 1_000;
const FROZEN_MS = 2_000;

/** Faults of the instances themselves, and the run without a fault. */
export const INSTANCE_FAULTS: readonly Fault[] = [
  {
    id: 'healthy',
    title: 'no fault',
    seconds: 90,
    limits: HEALTHY,
    fullTokens: 20_000,
    begin: async () => async () => undefined,
  },
  {
    id: 'instance-killed',
    title: 'one instance is killed (SIGKILL) and started again, over and over',
    seconds: 20,
    limits: UNNOTICED,
    begin: async ({ instances: [, second] }) =>
      repeating(KILL_EVERY_MS, async () => {
        second.service.process().kill('SIGKILL');
        await second.service.restart();
      }),
  },
  {
    id: 'instance-frozen',
    title: 'one instance is stopped (SIGSTOP) for two seconds at a time',
    seconds: 10,
    // Requests to the paused instance wait as long as the pause.
    limits: { ...UNNOTICED, slowestMs: 3_000 },
    begin: async ({ instances: [, second] }) =>
      repeating(FROZEN_MS, async () => {
        second.service.process().kill('SIGSTOP');
        await pause(FROZEN_MS);
        second.service.process().kill('SIGCONT');
      }),
  },
];
