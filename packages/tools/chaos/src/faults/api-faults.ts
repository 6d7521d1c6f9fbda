import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectionChoice } from '../network/chaos-proxy.js';
import type { Traffic } from '../network/traffic.js';
import type { Cluster } from '../test-environment/cluster.js';
import { type Fault, HEALTHY, UNNOTICED } from '../trials/fault.js';
import { until } from '../until.js';
import { rotateDigestKey } from './digest-key-rotation.js';
import { repeating } from './repeating.js';

/** Chooses the connections of streams of changes. */
export const isChangeStream: ConnectionChoice = (opening) => opening.startsWith('GET /token/changes');

const HELD_MS = 2_000;
const FROZEN_MS = 2_000;
const PAUSED_MS = 10_000;
/** Events under load fill a block in about a second. */
const BUFFER_BYTES = 8_192;
const SHUFFLE_MS = 300;
/** At each instance. */
const UNREAD_STREAMS = 50;

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
  streamFault('api-stream-buffered', 'passes a gateway that collects 8 kB before it forwards them', {
    kind: 'buffer',
    bytes: BUFFER_BYTES,
    from: 'server',
  }),
  {
    id: 'api-stream-shuffled',
    title: "events of an API's stream of changes arrive late, twice and in the opposite order",
    seconds: 10,
    limits: UNNOTICED,
    begin: async ({ api: { gateway } }) => {
      // Chunks are found from the beginning of a response on.
      gateway.set({ kind: 'refuse' }, isChangeStream);
      const inOrder = ['event: open', 'event: reset'];
      gateway.set({ kind: 'shuffle', everyMs: SHUFFLE_MS, inOrder, from: 'server' }, isChangeStream);
      return async () => gateway.pass();
    },
  },
  {
    id: 'api-streams-unread',
    title: `${UNREAD_STREAMS} other readers at each instance read nothing of their streams of changes`,
    seconds: 10,
    limits: HEALTHY,
    begin: openUnreadStreams,
  },
  {
    id: 'api-keys-rotated',
    title:
      'the key of the cache tags is replaced over and over, and one instance after the other is restarted',
    seconds: 15,
    limits: UNNOTICED,
    begin: async ({ installation, instances }) =>
      repeating(500, async (turn) => {
        await rotateDigestKey(installation);
        await instances[turn % 2]?.service.replace();
      }),
  },
  {
    id: 'api-paused',
    title: 'an API is stopped (SIGSTOP) for ten seconds',
    seconds: 12,
    // Requests to the stopped API wait as long as the pause.
    limits: { ...UNNOTICED, slowestMs: PAUSED_MS + 1_000 },
    begin: async ({ api: { process } }) =>
      repeating(FROZEN_MS, async () => {
        process.kill('SIGSTOP');
        await pause(PAUSED_MS);
        process.kill('SIGCONT');
      }),
  },
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

/** Opens streams of changes whose readers take nothing. */
async function openUnreadStreams({ instances, installation }: Cluster): Promise<() => Promise<void>> {
  const { authorization } = installation.resourceServer;
  const request = `GET /token/changes HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`;
  const sockets = instances.flatMap(({ service: { port } }) =>
    Array.from({ length: UNREAD_STREAMS }, () => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.pause().write(request);
      return socket;
    }),
  );
  for (const { service } of instances)
    await until(async () => streamsOf(await service.metrics()) >= UNREAD_STREAMS);
  return async () => {
    for (const socket of sockets) socket.destroy();
  };
}

function streamsOf(metrics: ReadonlyMap<string, number>): number {
  return metrics.get('token_change_streams{service="introspection"}') ?? 0;
}
