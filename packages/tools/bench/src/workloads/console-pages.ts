import { operatorActor } from '@vestibule/clients';
import { sessionCookie } from '@vestibule/console';
import { nowSeconds } from '@vestibule/protocol';
import { requestOnce } from '../load/connection.js';
import { cycle } from '../load/load-result.js';
import { pacedLoad } from '../load/paced-load.js';
import { rawRequest } from '../load/raw-request.js';
import { residentBytes } from '../measure/process-usage.js';
import { startService } from '../servers/service.js';
import { type Installation, ISSUER, openInstallation } from '../test-environment/installation.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Figure, FigureWorkload } from './workload.js';

const REQUESTS_PER_SECOND = 20;
const CONNECTIONS = 8;
const P99_AT_MOST_MS = 150;
const BYTES_PER_KB = 1_000;
const BYTES_PER_MB = 1_048_576;
/** A page; the style sheet and the script come beside the first one. */
const PAGE_AT_MOST_KB = 30;
const EVENTS_PER_CLIENT = 5;
const CLIENTS_PER_DELIVERY = 2;
const SESSION_SECONDS = 3_600;

/** The pages of the console, by what the report calls them. `c7` and `alice7` are among the rows. */
const PAGES = {
  overview: '/',
  clients: '/clients',
  'clients by a part of their name': '/clients?name=lient+77',
  'clients that wait': '/clients?status=pending',
  'one client': '/clients/c7',
  'history of a client': '/clients/c7/history',
  'initial access tokens': '/initial-tokens',
  'an end-user': '/end-users?subject=alice7',
  'logout notifications': '/end-users/deliveries',
  federation: '/federation',
  'audit events': '/audit',
  'audit events of a person': '/audit?actor=operator%3Ajane&action=client.approved',
  keys: '/keys',
} as const;

/** The duration and size of the pages of the console over large tables. */
export function consolePagesWorkload(testEnvironment: TestEnvironment): FigureWorkload {
  const clients = testEnvironment.effort.listedClients;
  return {
    kind: 'figures',
    id: 'console-pages',
    title: `pages of the console over ${clients.toLocaleString('en')} clients and ${(clients * EVENTS_PER_CLIENT).toLocaleString('en')} audit events, at ${REQUESTS_PER_SECOND} requests a second`,
    measure: async () => {
      const installation = await openInstallation(testEnvironment, `bench_console_${clients}`, 'kept');
      await fill(testEnvironment, installation);
      const rounds: Round[] = [];
      for (let round = 0; round < testEnvironment.effort.rounds; round += 1)
        rounds.push(await measureRound(testEnvironment, installation));
      return figures(rounds);
    },
  };
}

interface Round {
  /** The p99 of each page in milliseconds, and its size in bytes. */
  readonly pages: ReadonlyMap<string, { readonly p99Ms: number; readonly bytes: number }>;
  readonly memoryBytes: number;
}

function figures(rounds: readonly Round[]): readonly Figure[] {
  const names = Object.keys(PAGES);
  const largest = (round: Round) => Math.max(...[...round.pages.values()].map(({ bytes }) => bytes));
  return [
    ...names.map((name) => ({
      name: `${name}, p99`,
      values: rounds.map(({ pages }) => pages.get(name)?.p99Ms ?? Number.NaN),
      unit: 'ms' as const,
      atMost: P99_AT_MOST_MS,
    })),
    {
      name: 'size of the largest page',
      values: rounds.map((round) => largest(round) / BYTES_PER_KB),
      unit: 'KB',
      atMost: PAGE_AT_MOST_KB,
    },
    {
      name: 'resident memory afterwards',
      values: rounds.map(({ memoryBytes }) => memoryBytes / BYTES_PER_MB),
      unit: 'MB',
    },
  ];
}

// Statements that fill the tables; `$1` is the number of clients.
const CLIENTS = `INSERT INTO client (id, metadata, rights, issued_at, updated_at, status)
  SELECT 'c' || n, jsonb_build_object('client_name', 'Client ' || n, 'redirect_uris',
      jsonb_build_array('https://c' || n || '.example/cb')), '', now() - n * interval '1 second', now(),
    (CASE WHEN n % 50 = 0 THEN 'pending' ELSE 'active' END)::client_status
  FROM generate_series(1, $1::integer) AS n`;
const EVENTS = `INSERT INTO audit_event (occurred_at, actor, action, target)
  SELECT now() - n * interval '1 second', 'operator:' || (ARRAY['jane', 'joe', 'ann'])[1 + n % 3],
    (ARRAY['client.registered', 'client.updated', 'client.approved', 'client.suspended'])[1 + n % 4],
    'client:c' || n % $1::integer
  FROM generate_series(1, $1::integer * ${EVENTS_PER_CLIENT}) AS n`;
const DELIVERIES = `INSERT INTO logout_delivery (client_id, uri, state, session_id, subject, next_attempt_at, created_at, finished_at)
  SELECT 'c' || n, 'https://c' || n || '.example/logout', (ARRAY['delivered', 'dead'])[1 + n % 2]::logout_delivery_state,
    's' || n, 'alice' || n % 1000, now(), now() - n * interval '1 second', now() - n * interval '1 second'
  FROM generate_series(1, $1::integer / ${CLIENTS_PER_DELIVERY}) AS n`;

/** Fills the tables, unless an earlier run did. */
async function fill({ effort, log }: TestEnvironment, { pool }: Installation): Promise<void> {
  const { listedClients: clients } = effort;
  const { rows } = await pool.query<{ count: number }>('SELECT count(*)::integer AS count FROM client');
  // The tables are filled at once or not at all: audit events cannot be deleted.
  if ((rows[0]?.count ?? 0) > 0) return;
  log(`Storing ${clients} clients with their audit events, sessions and deliveries.`);
  const statements = [CLIENTS, EVENTS, DELIVERIES];
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN');
    for (const statement of statements) await connection.query(statement, [clients]);
    await connection.query('COMMIT');
  } finally {
    connection.release();
  }
  await pool.query('VACUUM ANALYZE client, audit_event, logout_delivery');
}

/** A freshly started console, in which every page was opened once before it is measured. */
async function measureRound(
  { effort, pinning, nodeOptions }: TestEnvironment,
  { environment, store }: Installation,
): Promise<Round> {
  const { process, port } = await startService({
    name: 'console',
    environment: { ...environment, CONSOLE_URL: 'https://console.example', RATE_LIMITS_ENABLED: 'false' },
    prefix: pinning.serverPrefix,
    nodeOptions,
  });
  try {
    const cookie = await adminCookie(store);
    const pages = new Map<string, { readonly p99Ms: number; readonly bytes: number }>();
    const requests = Object.entries(PAGES).map(([name, path]) => {
      const request = rawRequest({ method: 'GET', path, headers: { cookie } });
      return { name, path, request };
    });
    const source = cycle(requests.map(({ request }) => request));
    const load = { port, connections: CONNECTIONS, requestsPerSecond: REQUESTS_PER_SECOND };
    await pacedLoad({ ...load, source, seconds: effort.warmSeconds });
    for (const { name, path, request } of requests) {
      const { status, bytes } = await requestOnce(port, request);
      if (status !== 200) throw new Error(`${path} returned ${status}`);
      const { p99Ms, failures } = await pacedLoad({
        ...load,
        source: cycle([request]),
        seconds: effort.seconds,
      });
      if (failures > 0) throw new Error(`${failures} requests of ${path} failed`);
      pages.set(name, { p99Ms, bytes });
    }
    return { pages, memoryBytes: (await residentBytes(process.pid)) ?? 0 };
  } finally {
    await process.stop();
  }
}

/** The session of an admin, as a login would set it. */
async function adminCookie({ encryptor, clock }: Installation['store']): Promise<string> {
  const cookie = sessionCookie({ encryptor, clock, isSecure: true });
  const header = await cookie.set({
    id: 'bench',
    operator: { subject: 'bench', name: 'Bench', role: 'admin', actor: operatorActor('bench') },
    formToken: 'bench',
    issuer: ISSUER,
    isStored: false,
    loggedInAtMs: clock.nowMs(),
    expiresAt: nowSeconds(clock) + SESSION_SECONDS,
  });
  return header.split(';')[0] ?? '';
}
