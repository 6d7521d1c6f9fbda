import { storeClient } from '@vestibule/testkit/logins';
import type { LoadResult } from '../load/load-result.js';
import { pacedLoad } from '../load/paced-load.js';
import { processMicros, residentBytes } from '../measure/process-usage.js';
import { startLogoutReceivers } from '../servers/logout-receivers.js';
import { startService } from '../servers/service.js';
import { startSilentServer } from '../servers/silent-server.js';
import { type Installation, openInstallation } from '../test-environment/installation.js';
import { LOGGED_OUT, logoutConversation, openLogoutVisits } from '../test-environment/logout-visits.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Figure, FigureWorkload } from './workload.js';

const REQUESTS_PER_SECOND = 100;
const CONNECTIONS = 32;
const P99_AT_MOST_MS = 50;
const BYTES_PER_MB = 1_048_576;
const MEMORY_AT_MOST_MB = 180;
const SILENT_HOST = '127.0.31.1';

/** The duration of the logout page and of its confirmation, while one client of every session hangs. */
export function logoutPageWorkload(testEnvironment: TestEnvironment): FigureWorkload {
  return {
    kind: 'figures',
    id: 'logout-page',
    title: `logout page at ${REQUESTS_PER_SECOND} requests a second, while a client's endpoints hang`,
    measure: async () => {
      const receivers = await startLogoutReceivers(2);
      const silent = await startSilentServer(SILENT_HOST);
      testEnvironment.closers.add(receivers.close);
      testEnvironment.closers.add(silent.close);
      const installation = await openInstallation(testEnvironment, 'bench_logout_page', 'fresh');
      const authorities = [...receivers.authorities, silent.authority];
      for (const authority of authorities) await registerClient(installation, authority);
      const [sender = '', responsive = ''] = receivers.authorities;
      const hanging: PageRun[] = [];
      const undisturbed: PageRun[] = [];
      for (let round = 0; round < testEnvironment.effort.rounds; round += 1) {
        const before = silent.count();
        undisturbed.push(await measureRound(testEnvironment, installation, [sender, responsive]));
        if (silent.count() > before)
          throw new Error('a client was notified of a session that it has no part in');
        hanging.push(await measureRound(testEnvironment, installation, [sender, silent.authority]));
        if (silent.count() === before) throw new Error('the client that hangs was not notified');
      }
      return figures(hanging, undisturbed);
    },
  };
}

interface PageRun extends LoadResult {
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

function figures(hanging: readonly PageRun[], undisturbed: readonly PageRun[]): readonly Figure[] {
  const inUnit = (runs: readonly PageRun[], read: (run: PageRun) => number) => runs.map(read);
  return [
    { name: 'rate', values: inUnit(hanging, ({ requests, seconds }) => requests / seconds), unit: 'req/s' },
    { name: 'p50', values: inUnit(hanging, ({ p50Ms }) => p50Ms), unit: 'ms' },
    { name: 'p99', values: inUnit(hanging, ({ p99Ms }) => p99Ms), unit: 'ms', atMost: P99_AT_MOST_MS },
    {
      name: 'p50 while every client responds',
      values: inUnit(undisturbed, ({ p50Ms }) => p50Ms),
      unit: 'ms',
    },
    {
      name: 'p99 while every client responds',
      values: inUnit(undisturbed, ({ p99Ms }) => p99Ms),
      unit: 'ms',
    },
    {
      name: 'CPU time for a request, deliveries included',
      values: inUnit(hanging, ({ cpuMs }) => cpuMs),
      unit: 'ms',
    },
    {
      name: 'the same while every client responds',
      values: inUnit(undisturbed, ({ cpuMs }) => cpuMs),
      unit: 'ms',
    },
    {
      name: 'resident memory afterwards',
      values: inUnit(hanging, ({ memoryBytes }) => memoryBytes / BYTES_PER_MB),
      unit: 'MB',
      atMost: MEMORY_AT_MOST_MB,
    },
  ];
}

const clientName = (place: string) => `client-${place.replaceAll(/[.:]/g, '-')}`;

/** Registers a client with front-channel and back-channel logout URIs at an address. */
async function registerClient({ pool }: Installation, place: string): Promise<void> {
  const metadata = {
    client_name: clientName(place),
    post_logout_redirect_uris: [LOGGED_OUT],
    frontchannel_logout_uri: `http://${place}/frontchannel`,
    frontchannel_logout_session_required: true,
    backchannel_logout_uri: `http://${place}/backchannel`,
    backchannel_logout_session_required: true,
    id_token_signed_response_alg: 'RS256',
    subject_type: 'public',
  };
  await storeClient(pool, clientName(place), metadata);
}

/** A freshly started service, warmed up. @returns the result of the requests after that */
async function measureRound(
  { effort, pinning, nodeOptions }: TestEnvironment,
  installation: Installation,
  authorities: readonly string[],
): Promise<PageRun> {
  const { seconds, warmSeconds } = effort;
  const requests = REQUESTS_PER_SECOND * (seconds + warmSeconds);
  const clientIds = authorities.map(clientName);
  // Removes the rest of an earlier round.
  await installation.pool.query('TRUNCATE logout_delivery');
  // Half of the requests start a visit, and each request in progress may be one.
  const visits = await openLogoutVisits(installation, clientIds, requests / 2 + 2 * CONNECTIONS);
  const { process, port } = await startService({
    name: 'logout',
    environment: { ...installation.environment, EGRESS_ALLOW_HOSTS: authorities.join(',') },
    prefix: pinning.serverPrefix,
    nodeOptions,
  });
  const source = logoutConversation(visits);
  const load = { port, source, connections: CONNECTIONS, requestsPerSecond: REQUESTS_PER_SECOND };
  try {
    await pacedLoad({ ...load, seconds: warmSeconds });
    const before = (await processMicros(process.pid)) ?? 0;
    const result = await pacedLoad({ ...load, seconds });
    const cpuMicros = ((await processMicros(process.pid)) ?? 0) - before;
    if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
    const memoryBytes = (await residentBytes(process.pid)) ?? 0;
    return { ...result, cpuMs: cpuMicros / 1_000 / result.requests, memoryBytes };
  } finally {
    await process.stop();
  }
}
