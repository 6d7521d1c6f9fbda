import { operatorActor } from '@vestibule/clients';
import { sessionCookie } from '@vestibule/console';
import { nowSeconds } from '@vestibule/protocol';
import { rawRequest } from '../load/raw-request.js';
import { type RunningServiceProcess, startService } from '../servers/service.js';
import { type Installation, ISSUER, openInstallation } from './installation.js';
import { issueIdentifierTokens } from './issued-tokens.js';
import { kept, type TestEnvironment } from './test-environment.js';

/** The fixture of workloads on the console: large tables, and requests for its pages. */
export interface ConsoleFixture {
  installation(): Promise<Installation>;
  /** Starts the service. @param prefix the command prefix that runs it elsewhere */
  start(prefix: readonly string[]): Promise<RunningServiceProcess>;
  /** A request for each page as an admin, by what the report calls the page. */
  pages(): Promise<ReadonlyMap<string, string>>;
  /** A request for a file of the console, such as its style sheet. */
  file(path: string): string;
}

/** Audit events for each client. */
export const EVENTS_PER_CLIENT = 5;
const CLIENTS_PER_DELIVERY = 2;
const CLIENTS_PER_MEMBER = 2;
const SESSION_SECONDS = 3_600;
/** Origin of the console. */
export const CONSOLE_ORIGIN = 'https://console.example';
const FORM_TOKEN = 'bench';
const ANCHOR = 'https://anchor.example';

/** Pages by their addresses. `c7` and `alice7` are among the rows. */
const PAGES = {
  overview: '/',
  clients: '/clients',
  'clients by a part of their name': '/clients?name=lient+77',
  'clients that wait': '/clients?status=pending',
  'clients by several conditions':
    '/clients?name=lient+77&redirect_uri=https%3A%2F%2Fc77.example%2Fcb&status=active&origin=registration&issued_after=2020-01-01',
  'one client': '/clients/c7',
  'history of a client': '/clients/c7/history',
  'initial access tokens': '/initial-tokens',
  'an end-user': '/end-users?subject=alice7',
  'logout notifications': '/end-users/deliveries',
  federation: '/federation',
  'denial of a trust anchor': `/federation/deny?entity=${encodeURIComponent(ANCHOR)}`,
  'audit events': '/audit',
  'audit events of a person': '/audit?actor=operator%3Ajane&action=client.approved',
  keys: '/keys',
} as const;

/** Creates a fixture whose parts are opened on first use. Its database is kept between runs. */
export function consoleFixture(testEnvironment: TestEnvironment): ConsoleFixture {
  const { nodeOptions, effort } = testEnvironment;
  const installation = kept(async () => {
    const name = `bench_console_members_${effort.listedClients}`;
    const opened = await openInstallation(testEnvironment, name, 'kept');
    await fill(testEnvironment, opened);
    return opened;
  });
  return {
    installation,
    start: async (prefix) =>
      startService({
        name: 'console',
        environment: { ...(await installation()).environment, CONSOLE_URL: CONSOLE_ORIGIN },
        prefix,
        nodeOptions,
      }),
    pages: async () => pageRequests(await installation()),
    file: (path) => rawRequest({ method: 'GET', path }),
  };
}

// Statements that fill the tables; `$1` is the number of clients.
const CLIENTS = `INSERT INTO client (id, metadata, rights, issued_at, updated_at, status)
  SELECT 'c' || n, jsonb_build_object('client_name', 'Client ' || n, 'redirect_uris',
      jsonb_build_array('https://c' || n || '.example/cb')), '', now() - n * interval '1 second', now(),
    (CASE WHEN n % 50 = 0 THEN 'pending' ELSE 'active' END)::client_status
  FROM generate_series(1, $1::integer) AS n WHERE n % ${CLIENTS_PER_MEMBER} <> 0`;
const MEMBERS = `INSERT INTO client (id, metadata, rights, issued_at, updated_at, status, origin, entity_id, trust_anchor,
    superior, chain_entities, chain_expires_at, statement_issued_at)
  SELECT 'c' || n, jsonb_build_object('client_name', 'Client ' || n, 'redirect_uris',
      jsonb_build_array('https://c' || n || '.example/cb')), '', now() - n * interval '1 second', now(),
    (CASE WHEN n % 50 = 0 THEN 'pending' ELSE 'active' END)::client_status, 'federation_explicit',
    'https://c' || n || '.example', '${ANCHOR}', 'https://superior.example',
    'https://c' || n || '.example https://superior.example ${ANCHOR}', now() + interval '1 year', now()
  FROM generate_series(${CLIENTS_PER_MEMBER}, $1::integer, ${CLIENTS_PER_MEMBER}) AS n`;
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
  log(`Storing ${clients} clients with their audit events and deliveries.`);
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN');
    for (const statement of [CLIENTS, MEMBERS, EVENTS, DELIVERIES])
      await connection.query(statement, [clients]);
    await connection.query('COMMIT');
  } finally {
    connection.release();
  }
  await pool.query('VACUUM ANALYZE client, audit_event, logout_delivery');
}

/** The requests, with the session of an admin as a login would set it. */
async function pageRequests(installation: Installation): Promise<ReadonlyMap<string, string>> {
  const cookie = await adminCookie(installation.store);
  const [issued] = await issueIdentifierTokens(installation, 'c7', 1);
  if (issued === undefined) throw new RangeError('no token was issued');
  const form = (path: string, fields: Readonly<Record<string, string>>) =>
    rawRequest({
      method: 'POST',
      path,
      headers: {
        cookie,
        origin: CONSOLE_ORIGIN,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ form_token: FORM_TOKEN, ...fields }).toString(),
    });
  return new Map([
    ...Object.entries(PAGES).map(
      ([name, path]) => [name, rawRequest({ method: 'GET', path, headers: { cookie } })] as const,
    ),
    ['a token explained', form('/token', { token: issued.token })],
    [
      'dry run of an edit',
      form('/clients/c7/edit', {
        step: 'check',
        version: '1',
        client_name: 'Another name',
        redirect_uris: 'https://c7.example/cb\nhttps://c7.example/other',
      }),
    ],
  ]);
}

async function adminCookie({ encryptor, clock }: Installation['store']): Promise<string> {
  const cookie = sessionCookie({ encryptor, clock, isSecure: true });
  const header = await cookie.set({
    id: 'bench',
    operator: { subject: 'bench', name: 'Bench', role: 'admin', actor: operatorActor('bench') },
    formToken: FORM_TOKEN,
    issuer: ISSUER,
    isStored: false,
    loggedInAtMs: clock.nowMs(),
    expiresAt: nowSeconds(clock) + SESSION_SECONDS,
  });
  return header.split(';')[0] ?? '';
}
