import { once } from 'node:events';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { closedLoad } from '../load/closed-load.js';
import { cycle } from '../load/load-result.js';
import { pacedLoad } from '../load/paced-load.js';
import { watchMemory } from '../measure/watch-memory.js';
import { startService } from '../servers/service.js';
import { openRegistration, readingExchange, registerClients } from '../targets/registration-traffic.js';
import { type Installation, openInstallation } from '../test-environment/installation.js';
import { REGISTRATION_PATH } from '../test-environment/registered-client.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Figure, FigureWorkload } from './workload.js';

const FILL_CONNECTIONS = 16;
const READ_CLIENTS = 200;
const READS_PER_SECOND = 200;
const READ_CONNECTIONS = 4;
const MAX_LIST_SECONDS = 120;
const BYTES_PER_MB = 1_048_576;

const LoopReport = Type.Object({ p99Ms: Type.Number() });
const LOOP_PROBE = fileURLToPath(new URL('../servers/loop-probe.js', import.meta.url));

/** The cost of listing many clients for the process that lists, and for other requests meanwhile. */
export function clientListWorkload(testEnvironment: TestEnvironment): FigureWorkload {
  return {
    kind: 'figures',
    id: 'client-list',
    title: `list of ${testEnvironment.effort.listedClients.toLocaleString('en')} clients`,
    measure: async () => {
      const installation = await openInstallation(testEnvironment, 'bench_list', 'kept');
      const stored = await fill(testEnvironment, installation);
      const runs: ListRun[] = [];
      for (let round = 0; round < testEnvironment.effort.rounds; round += 1) {
        runs.push(await listOnce(testEnvironment, installation, stored));
      }
      return figures(runs);
    },
  };
}

interface ListRun {
  readonly seconds: number;
  readonly growthBytes: number;
  readonly loopDelayP99Ms: number;
  /** The duration of reading one client without a list in progress. */
  readonly quietP99Ms: number;
  readonly readP99Ms: number;
}

function figures(runs: readonly ListRun[]): readonly Figure[] {
  const of = (value: (run: ListRun) => number) => runs.map(value);
  return [
    { name: 'time of the whole list', values: of(({ seconds }) => seconds), unit: 's' },
    {
      name: 'growth of resident memory',
      values: of(({ growthBytes }) => growthBytes / BYTES_PER_MB),
      unit: 'MB',
      atMost: 64,
    },
    { name: 'event-loop delay, p99', values: of((run) => run.loopDelayP99Ms), unit: 'ms', atMost: 50 },
    { name: 'reading a client before, p99', values: of((run) => run.quietP99Ms), unit: 'ms' },
    { name: 'reading a client meanwhile, p99', values: of((run) => run.readP99Ms), unit: 'ms' },
    {
      name: 'the same, as a multiple of before',
      values: of((run) => run.readP99Ms / run.quietP99Ms),
      unit: '×',
      atMost: 2,
    },
  ];
}

/** Registers clients up to the wanted number. @returns their number */
async function fill({ effort, log }: TestEnvironment, { environment, pool }: Installation): Promise<number> {
  const count = async () => {
    const { rows } = await pool.query<{ count: number }>('SELECT count(*)::integer AS count FROM client');
    return rows[0]?.count ?? 0;
  };
  const missing = effort.listedClients - (await count());
  if (missing <= 0) return count();
  log(`Registering ${missing} clients.`);
  const { process, port } = await startService({ name: 'registration', environment, prefix: [] });
  const source = cycle([openRegistration(REGISTRATION_PATH)]);
  const { failures } = await closedLoad({
    port,
    source,
    connections: FILL_CONNECTIONS,
    until: { requests: missing },
  });
  await process.stop();
  if (failures > 0) throw new Error(`${failures} clients were not registered`);
  return count();
}

async function listOnce(
  testEnvironment: TestEnvironment,
  { environment, masterToken }: Installation,
  stored: number,
): Promise<ListRun> {
  const { process, port } = await startService({
    name: 'registration',
    environment,
    prefix: testEnvironment.pinning.serverPrefix,
    nodeOptions: ['--import', LOOP_PROBE],
    withChannel: true,
  });
  try {
    const clients = await registerClients({ port, path: REGISTRATION_PATH }, READ_CLIENTS);
    const source = cycle(clients.map((client) => readingExchange(REGISTRATION_PATH, client).request));
    const reads = { port, source, connections: READ_CONNECTIONS, requestsPerSecond: READS_PER_SECOND };
    await pacedLoad({ ...reads, seconds: testEnvironment.effort.warmSeconds });
    const { p99Ms: quietP99Ms } = await pacedLoad({ ...reads, seconds: testEnvironment.effort.seconds });
    const finished = new AbortController();
    process.child.send('reset');
    const meanwhile = pacedLoad({ ...reads, seconds: MAX_LIST_SECONDS, signal: finished.signal });
    const growth = watchMemory(process.pid, finished.signal);
    const startedAt = performance.now();
    const listed = await download(port, masterToken).finally(() => finished.abort());
    const seconds = (performance.now() - startedAt) / 1000;
    if (listed < stored) throw new Error(`${stored} clients are stored, and ${listed} were listed`);
    process.child.send('report');
    const [report] = await once(process.child, 'message');
    return {
      seconds,
      growthBytes: await growth,
      loopDelayP99Ms: Value.Parse(LoopReport, report).p99Ms,
      quietP99Ms,
      readP99Ms: (await meanwhile).p99Ms,
    };
  } finally {
    await process.stop();
  }
}

const CLIENT_MARK = '"client_id":"';

/** Reads the whole list. @returns the number of clients in it */
async function download(port: number, token: string): Promise<number> {
  const request = get({
    port,
    host: '127.0.0.1',
    path: REGISTRATION_PATH,
    headers: { authorization: `Bearer ${token}` },
  });
  const [response] = await once(request, 'response');
  if (response.statusCode !== 200) throw new Error(`the list was refused: ${response.statusCode}`);
  let clients = 0;
  let last = '';
  for await (const chunk of response.setEncoding('latin1')) {
    const text = last + chunk;
    clients += text.split(CLIENT_MARK).length - 1;
    // A possible start of a mark is searched again with the next chunk.
    last = text.slice(-(CLIENT_MARK.length - 1));
  }
  if (!last.endsWith(']')) throw new Error('the list was cut off');
  return clients;
}
