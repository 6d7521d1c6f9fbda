import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { openConnection } from '../load/connection.js';
import { rawRequest } from '../load/raw-request.js';
import { watchMemory } from '../measure/watch-memory.js';
import { startService } from '../servers/service.js';
import { registerClients } from '../targets/registration-traffic.js';
import { type Installation, openInstallation } from '../test-environment/installation.js';
import { REGISTRATION_PATH } from '../test-environment/registered-client.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Figure, FigureWorkload } from './workload.js';

const PATH = '/direct-authz/tokens';
const TOKENS = 100_000;
const TOKENS_PER_REQUEST = 1_000;
const CLIENTS = 20;
const LIFETIME_SECONDS = 3_600;
const BYTES_PER_MB = 1_048_576;
const MAX_SECONDS = 30;

/** The time to import many tokens of another authorization server, in either form, and the memory that it takes. */
export function tokenImportWorkload(testEnvironment: TestEnvironment): FigureWorkload {
  return {
    kind: 'figures',
    id: 'token-import',
    title: `import of ${TOKENS.toLocaleString('en')} tokens`,
    measure: async () => {
      const installation = await openInstallation(testEnvironment, 'bench_import', 'fresh');
      const clients = await clientsOf(installation);
      const runs: ImportRun[] = [];
      for (let round = 0; round < testEnvironment.effort.rounds; round += 1)
        runs.push(await importOnce(testEnvironment, installation, clients));
      return figures(runs);
    },
  };
}

interface ImportRun {
  readonly json: Transfer;
  readonly lines: Transfer;
}

interface Transfer {
  readonly seconds: number;
  readonly growthBytes: number;
}

function figures(runs: readonly ImportRun[]): readonly Figure[] {
  return (['json', 'lines'] as const).flatMap((form): readonly Figure[] => [
    {
      name: form === 'json' ? `${TOKENS_PER_REQUEST.toLocaleString('en')} in a JSON request` : 'one a line',
      values: runs.map((run) => run[form].seconds),
      unit: 's',
      atMost: MAX_SECONDS,
    },
    {
      name: 'growth of resident memory meanwhile',
      values: runs.map((run) => run[form].growthBytes / BYTES_PER_MB),
      unit: 'MB',
    },
  ]);
}

async function clientsOf({ environment }: Installation): Promise<readonly string[]> {
  const { process, port } = await startService({ name: 'registration', environment, prefix: [] });
  const clients = await registerClients({ port, path: REGISTRATION_PATH }, CLIENTS);
  await process.stop();
  return clients.map(({ client_id: id }) => id);
}

/** Imports new tokens in both forms, into empty tables, with a freshly started service. */
async function importOnce(
  { pinning, nodeOptions }: TestEnvironment,
  { environment, pool, masterToken }: Installation,
  clients: readonly string[],
): Promise<ImportRun> {
  await pool.query('TRUNCATE access_token, imported_token');
  await pool.query('CHECKPOINT');
  const { process, port } = await startService({
    name: 'authorization',
    environment,
    prefix: pinning.serverPrefix,
    nodeOptions,
  });
  const transfer = async (send: (target: Target, entries: readonly string[]) => Promise<void>) => {
    const entries = Array.from({ length: TOKENS }, (_, index) => entryOf(clients[index % CLIENTS] ?? ''));
    const finished = new AbortController();
    const growth = watchMemory(process.pid, finished.signal);
    const startedAt = performance.now();
    await send({ port, masterToken }, entries).finally(() => finished.abort());
    return { seconds: (performance.now() - startedAt) / 1_000, growthBytes: await growth };
  };
  try {
    const run = { json: await transfer(sendJson), lines: await transfer(sendLines) };
    const { rows } = await pool.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM access_token',
    );
    if (rows[0]?.count !== 2 * TOKENS) throw new Error(`${rows[0]?.count} tokens are stored`);
    return run;
  } finally {
    await process.stop();
  }
}

interface Target {
  readonly port: number;
  readonly masterToken: string;
}

async function sendJson({ port, masterToken }: Target, entries: readonly string[]): Promise<void> {
  const connection = await openConnection(port);
  const headers = { authorization: `Bearer ${masterToken}`, 'content-type': 'application/json' };
  for (let start = 0; start < entries.length; start += TOKENS_PER_REQUEST) {
    const body = `{"tokens":[${entries.slice(start, start + TOKENS_PER_REQUEST).join(',')}]}`;
    const response = await connection.send(rawRequest({ method: 'POST', path: PATH, headers, body }));
    if (response.status !== 200 || JSON.parse(response.body).stored !== TOKENS_PER_REQUEST)
      throw new Error(`tokens were not imported: ${response.status} ${response.body}`);
  }
  connection.close();
}

async function sendLines({ port, masterToken }: Target, entries: readonly string[]): Promise<void> {
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: PATH,
    headers: { authorization: `Bearer ${masterToken}`, 'content-type': 'application/x-ndjson' },
  });
  Readable.from(linesOf(entries)).pipe(sent);
  const [response] = await once(sent, 'response');
  let stored = 0;
  for await (const line of createInterface({ input: response })) {
    if (JSON.parse(line).result !== 'stored') throw new Error(`a token was not imported: ${line}`);
    stored += 1;
  }
  if (stored !== entries.length) throw new Error(`${stored} of ${entries.length} lines have a response`);
}

function* linesOf(entries: readonly string[]): Generator<string> {
  for (let start = 0; start < entries.length; start += TOKENS_PER_REQUEST)
    yield `${entries.slice(start, start + TOKENS_PER_REQUEST).join('\n')}\n`;
}

function entryOf(client_id: string): string {
  const now = Math.floor(Date.now() / 1_000);
  return JSON.stringify({
    token: randomBytes(32).toString('base64url'),
    kind: 'access',
    client_id,
    sub: randomBytes(12).toString('hex'),
    scope: 'openid profile read write',
    aud: ['https://api.example.org'],
    iat: now,
    exp: now + LIFETIME_SECONDS,
  });
}
