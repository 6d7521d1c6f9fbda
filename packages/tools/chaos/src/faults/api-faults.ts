import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectionChoice } from '../network/chaos-proxy.js';
import type { Traffic } from '../network/traffic.js';
import type { Cluster } from '../test-environment/cluster.js';
import { type Fault, UNNOTICED } from '../trials/fault.js';
import { repeating } from './repeating.js';

const isChangeStream: ConnectionChoice = (opening) => opening.startsWith('GET /token/changes');

const HELD_MS = 2_000;
const FROZEN_MS = 2_000;

/** Faults between an API and the instances that it asks. */
export const API_FAULTS: readonly Fault[] = [
  {
    id: 'api-stream-cut',
    title: "an API's stream of changes is reset over and over, and continues at another instance",
    seconds: 10,
    limits: UNNOTICED,
    begin: async ({ api: { gateway } }) =>
      repeating(300, async () => {
        gateway.set({ kind: 'refuse' }, isChangeStream);
        gateway.pass();
      }),
  },
  {
    id: 'api-stream-held',
    title: "an API's stream of changes stands still for two seconds at a time, and then arrives",
    seconds: 12,
    limits: UNNOTICED,
    begin: async ({ api: { gateway } }) =>
      repeating(500, async () => {
        gateway.set({ kind: 'hold', from: 'server' }, isChangeStream);
        await pause(HELD_MS);
        gateway.pass();
      }),
  },
  streamFault('api-stream-late', 'arrives three seconds late', { kind: 'delay', ms: 3_000, from: 'server' }),
  streamFault('api-stream-lost', 'is lost on an open connection', { kind: 'drop', from: 'server' }),
  streamFault('api-stream-slow', 'arrives at 100 bytes per second', {
    kind: 'drip',
    bytesPerSecond: 100,
    from: 'server',
  }),
  {
    id: 'api-frozen',
    title: 'an API is stopped (SIGSTOP) for two seconds at a time',
    seconds: 10,
    // Requests to the stopped API wait as long as the pause.
    limits: { ...UNNOTICED, slowestMs: 3_000 },
    begin: async ({ api: { process } }) =>
      repeating(FROZEN_MS, async () => {
        process.kill('SIGSTOP');
        await pause(FROZEN_MS);
        process.kill('SIGCONT');
      }),
  },
];

/** The stream of an API is disturbed all the time. */
function streamFault(id: string, what: string, traffic: Traffic): Fault {
  return {
    id,
    title: `an API's stream of changes ${what}`,
    seconds: 10,
    limits: UNNOTICED,
    begin: async ({ api: { gateway } }: Cluster) => {
      gateway.set(traffic, isChangeStream);
      return async () => gateway.pass();
    },
  };
}
