import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { nowSeconds, systemClock } from '@vestibule/protocol';
import { ENDPOINT_PATH } from '@vestibule/protocol/constants';
import { cacheTag } from '@vestibule/tokens/cache';
import { rawRequest } from '../load/raw-request.js';
import { processMicros, residentBytes } from '../measure/process-usage.js';
import { percentile } from '../measure/statistics.js';
import { startService } from '../servers/service.js';
import { type Installation, openInstallation } from '../test-environment/installation.js';
import { registerResourceServer } from '../test-environment/registered-client.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Figure, FigureWorkload } from './workload.js';

const IDLE_STREAMS = 1_000;
const BUSY_STREAMS = 100;
const REVOCATIONS_PER_SECOND = 1_000;
const BATCHES_PER_SECOND = 50;
const SETTLED_MS = 2_000;
const BYTES_PER_MB = 1_048_576;
const MICROS_PER_MS = 1_000;

/** What streams of changes cost an instance, and how fast they tell of revocations. */
export function changeStreamsWorkload(testEnvironment: TestEnvironment): FigureWorkload {
  return {
    kind: 'figures',
    id: 'change-streams',
    title: `${IDLE_STREAMS.toLocaleString('en')} idle streams of changes; ${REVOCATIONS_PER_SECOND.toLocaleString('en')} revocations a second to ${BUSY_STREAMS}`,
    measure: async () => {
      const installation = await openInstallation(testEnvironment, 'bench_changes', 'fresh');
      const { client_id, client_secret } = await registerResourceServer(installation);
      const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
      const runs: Run[] = [];
      for (let round = 0; round < testEnvironment.effort.rounds; round += 1)
        runs.push(await runOnce(testEnvironment, installation, authorization));
      return figuresOf(runs);
    },
  };
}

interface Run {
  readonly idleCpu: number;
  readonly idleBytes: number;
  readonly delaysMs: readonly number[];
}

function figuresOf(runs: readonly Run[]): readonly Figure[] {
  return [
    {
      name: `${IDLE_STREAMS.toLocaleString('en')} idle streams, of one core`,
      values: runs.map(({ idleCpu }) => 100 * idleCpu),
      unit: '%',
      atMost: 10,
    },
    {
      name: 'growth of resident memory',
      values: runs.map(({ idleBytes }) => idleBytes / BYTES_PER_MB),
      unit: 'MB',
      atMost: 64,
    },
    {
      name: `from a revocation to ${BUSY_STREAMS} streams, p99`,
      values: runs.map(({ delaysMs }) =>
        percentile(
          delaysMs.toSorted((one, other) => one - other),
          0.99,
        ),
      ),
      unit: 'ms',
      atMost: 250,
    },
  ];
}

async function runOnce(
  { pinning, nodeOptions, effort }: TestEnvironment,
  installation: Installation,
  authorization: string,
): Promise<Run> {
  const { environment } = installation;
  const { process, port } = await startService({
    name: 'introspection',
    environment,
    prefix: pinning.serverPrefix,
    nodeOptions,
  });
  const request = rawRequest({ method: 'GET', path: ENDPOINT_PATH.tokenChanges, headers: { authorization } });
  const open = (count: number, read: StreamReader) => openStreams({ port, request, count }, read);
  try {
    const usage = async () => ({
      micros: (await processMicros(process.pid)) ?? 0,
      bytes: (await residentBytes(process.pid)) ?? 0,
    });
    const shareOf = async () => {
      const [before, startedAt] = [await usage(), performance.now()];
      await pause(effort.seconds * 1_000);
      const after = await usage();
      const elapsedMicros = (performance.now() - startedAt) * MICROS_PER_MS;
      return { cpu: (after.micros - before.micros) / elapsedMicros, bytes: after.bytes };
    };
    await pause(SETTLED_MS);
    const none = await shareOf();
    const closeIdle = await open(IDLE_STREAMS, () => undefined);
    await pause(SETTLED_MS);
    const idle = await shareOf();
    closeIdle();
    const delaysMs = await delaysOf(installation, effort.seconds, (read) => open(BUSY_STREAMS, read));
    return { idleCpu: idle.cpu - none.cpu, idleBytes: idle.bytes - none.bytes, delaysMs };
  } finally {
    await process.stop();
  }
}

/** Receives the complete events that have arrived on a stream. */
type StreamReader = (events: string, stream: number) => void;

interface StreamSource {
  readonly port: number;
  readonly request: string;
  readonly count: number;
}

/** Opens streams, and waits until each has begun. @returns what closes them */
async function openStreams({ port, request, count }: StreamSource, read: StreamReader): Promise<() => void> {
  const sockets: Socket[] = [];
  for (let stream = 0; stream < count; stream += 1) {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    sockets.push(socket);
    let text = '';
    socket.on('data', (chunk: string) => {
      text += chunk;
      const end = text.lastIndexOf('\n\n');
      if (end < 0) return;
      read(text.slice(0, end), stream);
      text = text.slice(end);
    });
    socket.write(request);
    const [beginning] = await once(socket, 'data');
    if (!String(beginning).startsWith('HTTP/1.1 200 ')) throw new Error(`no stream: ${beginning}`);
  }
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

const NAME = /"([\w-]{22})"/g;

/** Revokes at a steady rate. @returns the time from each acknowledgement to its arrival on each stream */
async function delaysOf(
  { store }: Installation,
  seconds: number,
  open: (read: StreamReader) => Promise<() => void>,
): Promise<readonly number[]> {
  const arrivals = new Map<string, number[]>();
  const close = await open((events) => {
    const arrivedAt = performance.now();
    for (const [, name = ''] of events.matchAll(NAME)) arrivals.get(name)?.push(arrivedAt);
  });
  const acknowledged = new Map<string, number>();
  const revoke = async (subject: string) => {
    const digest = store.digester.digest('cache-tag', cacheTag('subject', subject));
    const name = Buffer.from(digest).subarray(0, 16).toString('base64url');
    arrivals.set(name, []);
    await store.database.revocations.revokeSubject(subject, nowSeconds(systemClock));
    acknowledged.set(name, performance.now());
  };
  const startedAt = performance.now();
  const perBatch = REVOCATIONS_PER_SECOND / BATCHES_PER_SECOND;
  const underWay: Promise<unknown>[] = [];
  for (let batch = 0; batch < seconds * BATCHES_PER_SECOND; batch += 1) {
    await pause(Math.max(0, startedAt + (batch * 1_000) / BATCHES_PER_SECOND - performance.now()));
    for (let index = 0; index < perBatch; index += 1) underWay.push(revoke(`${startedAt} ${batch} ${index}`));
  }
  await Promise.all(underWay);
  await pause(SETTLED_MS);
  close();
  return [...acknowledged].flatMap(([name, doneAt]) => {
    const seen = arrivals.get(name) ?? [];
    if (seen.length !== BUSY_STREAMS) throw new Error(`${seen.length} streams were told of a revocation`);
    return seen.map((arrivedAt) => arrivedAt - doneAt);
  });
}
