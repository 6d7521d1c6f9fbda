import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { type PostgresServer, startPostgres } from '@vestibule/local-services';
import { systemClock } from '@vestibule/protocol';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectionPool } from '../connection-pool.js';
import { StandbyServerError } from '../database-errors.js';
import { migrate } from '../migrations/migrate.js';
import { openStore, type Store } from '../open-store.js';
import { opened } from '../testing/fixtures.js';
import { anEmptyDatabase, query } from '../testing/test-database.js';
import { NO_STANDBYS } from './server-state.js';
import type { ServerChange } from './server-watch.js';

// Initializing a database and starting servers takes time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-failover-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function aServer(dataFolder: string, port?: number): Promise<PostgresServer> {
  const server = await startPostgres({ dataFolder, ...(port !== undefined && { port }) });
  onTestFinished(() => server.stop());
  return server;
}

/** A role that may only log in, with its own default of synchronous_commit. */
async function anOrdinaryRole(url: string): Promise<string> {
  const name = `role_${randomBytes(4).toString('hex')}`;
  await query(url, `CREATE ROLE ${name} LOGIN PASSWORD 'p'; ALTER ROLE ${name} SET synchronous_commit = off`);
  onTestFinished(async () => void (await query(url, `DROP ROLE ${name}`)));
  return Object.assign(new URL(url), { username: name, password: 'p' }).href;
}

describe('commits of a service', () => {
  it('are durable whatever the defaults of the server, the database, the role, the address and PGOPTIONS', async () => {
    const url = await anEmptyDatabase();
    await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`);
    expect(await query(url, 'SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'off' }]);
    vi.stubEnv('PGOPTIONS', '-c synchronous_commit=off');
    onTestFinished(() => void vi.unstubAllEnvs());
    const ordinary = await anOrdinaryRole(url);
    for (const address of [url, ordinary, `${ordinary}?options=-c%20synchronous_commit%3Doff`]) {
      expect(await opened({ url: address }).serverState()).toMatchObject({ synchronousCommit: 'on' });
      const pool = connectionPool({ url: address });
      onTestFinished(() => pool.end());
      const { rows } = await pool.query('SHOW synchronous_commit');
      expect(rows).toEqual([{ synchronous_commit: 'on' }]);
    }
  });
});

/** Receives the WAL of a server like a standby. */
async function aReceiver(url: string, name = 'receiver'): Promise<void> {
  const client = new pg.Client({ connectionString: `${url}?replication=true&application_name=${name}` });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => void client.connection.stream.destroy());
  const { rows } = await client.query('IDENTIFY_SYSTEM');
  client.query(`START_REPLICATION PHYSICAL ${rows[0].xlogpos}`).catch(() => undefined);
}

/** A store on a server of its own, with the changes of the server that it reported. */
async function aStore(url: string): Promise<{ store: Store; changes: ServerChange[] }> {
  await migrate(url);
  const changes: ServerChange[] = [];
  const store = openStore({
    connection: { url, poolSize: 4, applicationName: 'test', onConnectionError: () => undefined },
    keyEncryptionKeys: parseKeyEncryptionKeys(randomBytes(32).toString('base64url')),
    clock: systemClock,
    random: secureRandom,
    onProblem: () => undefined,
    onServerChange: (change) => changes.push(change),
  });
  onTestFinished(() => store.close());
  await store.opened;
  return { store, changes };
}

/** A data key that no process has read yet and that cannot be opened. */
const UNKNOWN_KEY = `INSERT INTO data_key (id, purpose, state, wrapped, key_encryption_key_id, created_at)
  VALUES ('unknown', 'digest', 'pending', '', '', now())`;

describe('a store', () => {
  it('counts asynchronous standbys and reports them once, also with an ordinary role', async () => {
    const server = await aServer(await aFolder());
    const url = server.url('postgres');
    const { store, changes } = await aStore(url);
    const ordinary = opened({ url: await anOrdinaryRole(url) });
    expect((await ordinary.serverState()).standbys).toEqual(NO_STANDBYS);
    await aReceiver(url, 'pg_basebackup');
    await aReceiver(url);
    await vi.waitFor(() => expect(store.server.standbys()).toEqual({ ...NO_STANDBYS, async: 1 }), 60_000);
    await vi.waitFor(
      async () => expect((await ordinary.serverState()).standbys).toEqual({ ...NO_STANDBYS, async: 1 }),
      60_000,
    );
    expect(changes).toEqual([{ kind: 'asynchronous_standbys', count: 1 }]);
    await query(url, `ALTER SYSTEM SET synchronous_standby_names = 'another'`);
    await query(url, 'SELECT pg_reload_conf()');
    await vi.waitFor(
      async () => expect((await ordinary.serverState()).standbys).toEqual({ ...NO_STANDBYS, unknown: 1 }),
      60_000,
    );
    await query(url, 'ALTER SYSTEM RESET synchronous_standby_names');
    await query(url, 'SELECT pg_reload_conf()');
  });

  it('refuses a standby, and discards caches and refreshes its keys when the standby was promoted', async () => {
    const dataFolder = await aFolder();
    const server = await aServer(dataFolder);
    const url = server.url('postgres');
    const { store, changes } = await aStore(url);
    const heard: string[] = [];
    const stream = store.database.openInvalidationStream({
      monotonic: () => performance.now(),
      onProblem: () => undefined,
    });
    onTestFinished(stream.close);
    stream.subscribe({
      onStarted: () => heard.push('started'),
      onInvalidation: ({ kind }) => heard.push(kind),
      onAdvanced: () => undefined,
      onLost: () => heard.push('lost'),
    });
    await vi.waitFor(() => expect(heard).toEqual(['started']), 60_000);
    const before = await store.database.serverState();
    await query(url, UNKNOWN_KEY);
    await server.stop();
    const signal = join(server.directory, 'standby.signal');
    await writeFile(signal, '');
    const { uid, gid } = await stat(server.directory);
    await chown(signal, uid, gid);
    const standby = await aServer(dataFolder, server.port);
    await expect(store.check()).rejects.toThrow(StandbyServerError);
    await query(standby.url('postgres'), 'SELECT pg_promote(true)');
    const promoted = before.history.replace('/00000001', '/00000002');
    expect((await store.database.serverState()).history).toBe(promoted);
    await vi.waitFor(() => expect(store.server.promotions()).toBe(1), 60_000);
    await store.check();
    expect(changes).toEqual([{ kind: 'promoted', history: promoted }]);
    await vi.waitFor(() => expect(store.unopenedDataKeys()).toHaveLength(1), 60_000);
    const elsewhere = opened({ url: await anEmptyDatabase() });
    expect((await elsewhere.serverState()).history.split('/')[0]).not.toBe(promoted.split('/')[0]);
    const discarded = heard.indexOf('everything');
    expect(discarded).toBeGreaterThan(0);
    await vi.waitFor(() => expect(heard.indexOf('started', discarded)).toBeGreaterThan(0), 60_000);
    await vi.waitFor(async () => expect(await stream.catchUp()).toBe(true), 60_000);
  });
});
