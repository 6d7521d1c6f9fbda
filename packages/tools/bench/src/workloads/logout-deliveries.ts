import { setTimeout as pause } from 'node:timers/promises';
import { nowSeconds, systemClock } from '@vestibule/protocol';
import { logIn, storeClient } from '@vestibule/testkit/logins';
import { residentBytes } from '../measure/process-usage.js';
import { percentile } from '../measure/statistics.js';
import { type LogoutReceivers, startLogoutReceivers } from '../servers/logout-receivers.js';
import { startService } from '../servers/service.js';
import { type Installation, openInstallation } from '../test-environment/installation.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Figure, FigureWorkload } from './workload.js';

const HOSTS = 20;
const CLIENTS = 100;
const QUEUED = 10_000;
const LOGOUTS_PER_SECOND = 30;
const POLL_MS = 10;
const BYTES_PER_MB = 1_048_576;
const MEMORY_AT_MOST_MB = 180;

const FIRST_ATTEMPT_AT_MOST_MS = 300;
/** 300 a second, and a little more. */
const DRAIN_AT_MOST_S = 33;

/** How soon clients are notified of a logout, and how fast a backlog is delivered, by one process on one core. */
export function logoutDeliveriesWorkload(testEnvironment: TestEnvironment): FigureWorkload {
  return {
    kind: 'figures',
    id: 'logout-deliveries',
    title: `back-channel logout: ${CLIENTS} clients at ${HOSTS} hosts that respond`,
    measure: async () => {
      const receivers = await startLogoutReceivers(HOSTS);
      testEnvironment.closers.add(receivers.close);
      const installation = await openInstallation(testEnvironment, 'bench_logout', 'fresh');
      await registerClients(installation, receivers);
      const { effort, pinning, nodeOptions } = testEnvironment;
      const runs: DeliveryRun[] = [];
      for (let round = 0; round < effort.rounds; round += 1) {
        const { process } = await startService({
          name: 'logout',
          environment: { ...installation.environment, EGRESS_ALLOW_HOSTS: receivers.authorities.join(',') },
          prefix: pinning.serverPrefix,
          nodeOptions,
        });
        try {
          const logouts = LOGOUTS_PER_SECOND * effort.seconds;
          const delaysMs = await firstAttempts(installation, receivers, logouts);
          const drainSeconds = await drain(installation, receivers);
          runs.push({ delaysMs, drainSeconds, memoryBytes: (await residentBytes(process.pid)) ?? 0 });
        } finally {
          await process.stop();
        }
      }
      return figures(runs);
    },
  };
}

interface DeliveryRun {
  readonly delaysMs: readonly number[];
  readonly drainSeconds: number;
  readonly memoryBytes: number;
}

function figures(runs: readonly DeliveryRun[]): readonly Figure[] {
  const sorted = runs.map(({ delaysMs }) => delaysMs.toSorted((a, b) => a - b));
  const drains = runs.map(({ drainSeconds }) => drainSeconds);
  const queued = QUEUED.toLocaleString('en');
  return [
    {
      name: 'from the commit to the first attempt, p50',
      values: sorted.map((of) => percentile(of, 0.5)),
      unit: 'ms',
    },
    {
      name: 'from the commit to the first attempt, p99',
      values: sorted.map((of) => percentile(of, 0.99)),
      unit: 'ms',
      atMost: FIRST_ATTEMPT_AT_MOST_MS,
    },
    {
      name: `backlog of ${queued} delivered and stored`,
      values: drains,
      unit: 's',
      atMost: DRAIN_AT_MOST_S,
    },
    { name: 'the same as a rate', values: drains.map((seconds) => QUEUED / seconds), unit: 'req/s' },
    {
      name: 'resident memory afterwards',
      values: runs.map(({ memoryBytes }) => memoryBytes / BYTES_PER_MB),
      unit: 'MB',
      atMost: MEMORY_AT_MOST_MB,
    },
  ];
}

const clientName = (index: number) => `client-${index}`;

async function registerClients({ pool }: Installation, { authorities }: LogoutReceivers): Promise<void> {
  for (let index = 0; index < CLIENTS; index += 1) {
    const metadata = {
      backchannel_logout_uri: `http://${authorities[index % HOSTS]}/logout`,
      backchannel_logout_session_required: true,
      id_token_signed_response_alg: 'RS256',
      subject_type: 'public',
    };
    await storeClient(pool, clientName(index), metadata);
  }
}

/** Ends sessions of one client each at an even pace. @returns the time from each commit to the notification */
async function firstAttempts(
  { store }: Installation,
  receivers: LogoutReceivers,
  logouts: number,
): Promise<readonly number[]> {
  const { sessions } = store.database.providerRecords;
  const delays: number[] = [];
  for (let index = 0; index < logouts; index += 1) {
    const { id } = await logIn(store, (session) => [
      { clientId: clientName(index % CLIENTS), sid: `sid ${session}` },
    ]);
    const heard = receivers.untilCount(receivers.count() + 1);
    await sessions.end(id, nowSeconds(systemClock));
    const committedMs = performance.now();
    // The notification may arrive before the acknowledgement of the commit.
    delays.push(Math.max(0, (await heard) - committedMs));
    await pause((1_000 / LOGOUTS_PER_SECOND) * 2 * Math.random());
  }
  return delays;
}

/** Delivers a backlog of notifications. @returns the time it took, in seconds */
async function drain({ pool }: Installation, receivers: LogoutReceivers): Promise<number> {
  const before = receivers.count();
  await pool.query(
    `INSERT INTO logout_delivery (client_id, uri, subject, sid, next_attempt_at, created_at)
     SELECT client.id, client.metadata->>'backchannel_logout_uri', 'alice', 'sid ' || n, now(), now()
     FROM generate_series(0, $1::integer - 1) n JOIN client ON client.id = 'client-' || n % $2::integer`,
    [QUEUED, CLIENTS],
  );
  const startedMs = performance.now();
  await receivers.untilCount(before + QUEUED);
  const waiting = async () => {
    const text = `SELECT count(*)::integer AS count FROM logout_delivery WHERE state = 'pending'`;
    return (await pool.query<{ count: number }>(text)).rows[0]?.count ?? 0;
  };
  while ((await waiting()) > 0) await pause(POLL_MS);
  const seconds = (performance.now() - startedMs) / 1000;
  const extra = receivers.count() - before - QUEUED;
  if (extra > 0) throw new Error(`${extra} notifications were repeated`);
  return seconds;
}
