import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresServer, startPostgres } from '@vestibule/local-services';
import { expect, it, onTestFinished, vi } from 'vitest';
import { migrate } from '../migrations/migrate.js';
import { aClient, anId, NOW, opened } from '../testing/fixtures.js';
import { query } from '../testing/test-database.js';

// Initializing a database and starting servers takes time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const EVENTUALLY = 30_000;

type Crash = (server: PostgresServer, dataFolder: string) => Promise<void>;

/** The server closes all connections and recovers by itself. */
const killBackend: Crash = async (server) => {
  const [other] = await query<{ pid: number }>(
    server.url('postgres'),
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'vestibule invalidations'`,
  );
  process.kill(other?.pid ?? Number.NaN, 'SIGKILL');
};

/** The server recovers when it is started again. */
const killServer: Crash = async ({ directory, port }, dataFolder) => {
  const [pid] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n', 1);
  process.kill(Number(pid), 'SIGKILL');
  const restarted = await startPostgres({ dataFolder, port });
  onTestFinished(() => restarted.stop());
};

it.each([
  ['a process of the server', killBackend],
  ['the server', killServer],
])(
  'has another epoch, and an interruption or an invalidation of everything, after %s was killed',
  async (_, crash) => {
    const folder = await mkdtemp(join(tmpdir(), 'vestibule-lost-log-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const server = await startPostgres({ dataFolder: folder });
    onTestFinished(() => server.stop());
    const url = server.url('postgres');
    await migrate(url);
    const database = opened({ url });
    await database.clients.create(aClient());
    const heard: string[] = [];
    const stream = database.openInvalidationStream({
      monotonic: () => performance.now(),
      onProblem: () => undefined,
      pollMs: 600_000,
      checkMs: 600_000,
    });
    onTestFinished(stream.close);
    stream.subscribe({
      onStarted: () => heard.push('started'),
      onInvalidation: ({ kind }) => heard.push(kind),
      onAdvanced: () => undefined,
      onLost: () => heard.push('lost'),
    });
    await vi.waitUntil(stream.catchUp, EVENTUALLY);
    const before = stream.position()?.epoch;
    await database.clients.delete(anId('client'), NOW);
    await crash(server, folder);
    await vi.waitUntil(
      async () => (await stream.catchUp()) && stream.position()?.epoch !== before,
      EVENTUALLY,
    );
    // The event of the deletion was lost with the log.
    expect(heard).not.toContain('entities');
    expect([
      ['started', 'everything'],
      ['started', 'lost', 'started'],
    ]).toContainEqual(heard.slice(0, 3));
    await database.clients.create(aClient());
    await database.clients.delete(anId('client'), NOW);
    await vi.waitUntil(stream.catchUp, EVENTUALLY);
    expect(heard).toContain('entities');
  },
);
