import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { freePort } from './free-port.js';
import { LocalServiceError } from './local-service-error.js';
import { type PostgresOptions, type PostgresServer, startPostgres } from './postgres-server.js';
import { readPostmasterFile } from './postmaster-file.js';
import { runCommand } from './run-command.js';

// Initializing a database waits for the disk, which can take long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-postgres-'));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function start(options: PostgresOptions): Promise<PostgresServer> {
  const server = await startPostgres(options);
  cleanUps.push(() => server.stop());
  return server;
}

async function query(server: PostgresServer, statement: string, database = 'postgres'): Promise<unknown> {
  const client = new pg.Client(server.url(database));
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** The number of registrations as a user of a server. */
const REGISTRATIONS = `SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'`;

function processOf(dataFolder: string) {
  return readPostmasterFile(join(dataFolder, 'cluster', 'data'));
}

function started(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    child.once('exit', () => reject(new Error('the process ended early')));
  });
}

describe('startPostgres', () => {
  it('serves UTF-8 databases on the loopback address only, with a password', async () => {
    const dataFolder = await aFolder();
    const server = await start({ dataFolder });
    expect(await query(server, 'SHOW server_encoding')).toBe('UTF8');
    expect(await query(server, 'SHOW listen_addresses')).toBe('127.0.0.1');
    expect(await query(server, 'SHOW unix_socket_directories')).toBe('');
    expect(await query(server, 'SHOW fsync')).toBe('on');
    const client = new pg.Client(server.url('postgres').replace(/:[0-9a-f]{48}@/, ':guess@'));
    await expect(client.connect()).rejects.toMatchObject({ code: '28P01' });
    const { mode } = await stat(join(dataFolder, 'cluster', 'password'));
    expect(mode & 0o777).toBe(0o600);
  });

  it('keeps the data between runs and stops its process', async () => {
    const dataFolder = await aFolder();
    const first = await start({ dataFolder });
    await first.createDatabase('kept');
    await query(first, 'CREATE TABLE thing AS SELECT 42 AS answer', 'kept');
    await first.stop();
    expect(await processOf(dataFolder)).toBeUndefined();
    const second = await start({ dataFolder });
    expect(await query(second, 'SELECT answer FROM thing', 'kept')).toBe(42);
  });

  it('works below a folder that is closed to other accounts', async () => {
    const closed = await aFolder();
    await chmod(closed, 0o700);
    const server = await start({ dataFolder: join(closed, 'below', 'it'), durable: false });
    expect(await query(server, 'SELECT 1')).toBe(1);
  });

  it.runIf(process.getuid?.() === 0)('serves existing data as its owner', async () => {
    const dataFolder = await aFolder();
    await chmod(dataFolder, 0o711);
    await (await start({ dataFolder: join(dataFolder, 'data'), durable: false })).stop();
    const unprivileged = '65534:65534';
    await runCommand('chown', ['-R', unprivileged, join(dataFolder, 'data', 'cluster')]);
    const server = await start({ dataFolder: join(dataFolder, 'data'), durable: false });
    expect(await query(server, 'SELECT 1')).toBe(1);
    const run = await processOf(join(dataFolder, 'data'));
    expect(await readFile(`/proc/${run?.pid}/status`, 'utf8')).toMatch(/^Uid:\s+65534\s/m);
  });

  it('creates databases from a template, leaves existing ones unchanged, and drops them under open connections', async () => {
    const server = await start({ dataFolder: await aFolder(), durable: false });
    await server.createDatabase('pattern');
    await query(server, 'CREATE TABLE thing AS SELECT 1 AS one', 'pattern');
    await Promise.all(['a', 'b "c"', 'd'].map((name) => server.createDatabase(name, 'pattern')));
    await server.createDatabase('a');
    expect(await query(server, 'SELECT one FROM thing', 'b "c"')).toBe(1);
    const open = new pg.Client(server.url('a'));
    open.on('error', () => undefined);
    await open.connect();
    await server.dropDatabase('a');
    await server.dropDatabase('a');
    await expect(query(server, 'SELECT 1', 'a')).rejects.toMatchObject({ code: '3D000' });
  });

  it('shares one server between parallel first starts; the last user stops it', async () => {
    const dataFolder = await aFolder();
    const servers = await Promise.all(Array.from({ length: 4 }, () => start({ dataFolder, durable: false })));
    expect(new Set(servers.map(({ port }) => port)).size).toBe(1);
    expect((await readdir(dataFolder)).sort()).toEqual(['cluster', 'postgres.log']);
    const [last, ...others] = servers;
    await Promise.all(others.map((server) => server.stop()));
    expect(await query(last as PostgresServer, 'SELECT 1')).toBe(1);
    await last?.stop();
    expect(await processOf(dataFolder)).toBeUndefined();
  });

  it('is ready after starts that race with stops', async () => {
    const dataFolder = await aFolder();
    for (let round = 0; round < 3; round += 1) {
      const one = await start({ dataFolder, durable: false });
      const [, other] = await Promise.all([one.stop(), start({ dataFolder, durable: false })]);
      expect(await query(other, 'SELECT 1')).toBe(1);
      await other.stop();
    }
    expect(await processOf(dataFolder)).toBeUndefined();
  });

  it('adopts the server of a killed process', async () => {
    const dataFolder = await aFolder();
    const child = startInOtherProcess(await compile(), { dataFolder });
    const port = Number(await started(child));
    const before = await processOf(dataFolder);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const server = await start({ dataFolder });
    expect(server.port).toBe(port);
    expect(await processOf(dataFolder)).toEqual(before);
    // The killed process is registered until the server notices that its connection is closed.
    await expect.poll(() => query(server, REGISTRATIONS), { timeout: 60_000 }).toBe(1);
    await server.stop();
    expect(await processOf(dataFolder)).toBeUndefined();
  });

  it('ends a non-durable server when its process is killed', async () => {
    const dataFolder = await aFolder();
    const child = startInOtherProcess(await compile(), { dataFolder, durable: false });
    await started(child);
    child.kill('SIGKILL');
    await expect.poll(() => processOf(dataFolder), { timeout: 60_000 }).toBeUndefined();
  });

  it('starts after a kill of the server, even if another process now has its process id', async () => {
    const dataFolder = await aFolder();
    const first = await start({ dataFolder });
    const run = await processOf(dataFolder);
    process.kill(run?.pid ?? 0, 'SIGKILL');
    const path = join(dataFolder, 'cluster', 'data', 'postmaster.pid');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/^\d+/, String(process.ppid)));
    const second = await start({ dataFolder });
    expect(await query(second, 'SELECT 1')).toBe(1);
    await first.stop();
  });

  it('registers again after the connection of its registration was closed', async () => {
    const dataFolder = await aFolder();
    const one = await start({ dataFolder, durable: false });
    const other = await start({ dataFolder, durable: false });
    await query(
      one,
      `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'vestibule-local-services'`,
    );
    await expect.poll(() => query(one, REGISTRATIONS), { timeout: 60_000 }).toBe(2);
    await one.stop();
    expect(await query(other, 'SELECT 1')).toBe(1);
  });

  it('reports in one sentence that the port is in use', async () => {
    const taken = createServer((socket) => socket.destroy());
    const port = await freePort();
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve));
    cleanUps.push(() => new Promise((resolve) => taken.close(resolve)));
    await expect(startPostgres({ dataFolder: await aFolder(), port })).rejects.toThrow(
      new LocalServiceError(`Port ${port} on 127.0.0.1 is in use, so PostgreSQL cannot listen on it.`),
    );
  });

  it('reports in one sentence that the folder cannot be written', async () => {
    const file = join(await aFolder(), 'file');
    await writeFile(file, '');
    await expect(startPostgres({ dataFolder: join(file, 'below') })).rejects.toThrow(
      new LocalServiceError(`The folder ${join(file, 'below')} cannot be written (ENOTDIR).`),
    );
  });

  it("reports PostgreSQL's message when it refuses the data", async () => {
    const dataFolder = await aFolder();
    await (await start({ dataFolder })).stop();
    await writeFile(join(dataFolder, 'cluster', 'data', 'PG_VERSION'), '11\n');
    await expect(startPostgres({ dataFolder })).rejects.toThrow(/incompatible with server/);
  });
});

/** Runs the server in another process that can be killed; it prints the port. */
function startInOtherProcess(entry: string, options: PostgresOptions): ChildProcess {
  const program = `
    const { startPostgres } = await import(${JSON.stringify(entry)});
    const server = await startPostgres(${JSON.stringify(options)});
    console.log(server.port);
  `;
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/**
 * Compiles the package, because another process cannot load its sources, to a folder where its dependencies are found.
 */
async function compile(): Promise<string> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const output = join(root, 'node_modules', '.cache', `vestibule-${process.pid}`);
  cleanUps.push(() => rm(output, { recursive: true, force: true }));
  const compiler = join(root, '..', '..', '..', 'node_modules', '.bin', 'tsc');
  const args = ['-p', join(root, 'tsconfig.build.json'), '--outDir', output];
  expect(await runCommand(compiler, args)).toMatchObject({ exitCode: 0 });
  return pathToFileURL(join(output, 'postgres-server.js')).href;
}
