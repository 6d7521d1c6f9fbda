import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { freePort, startPostgres } from '@vestibule/local-services';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { introspect, issue, registerResourceServer, send } from './support/api.js';
import { startProgram, startStandalone, temporaryFolder } from './support/standalone-process.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(() => folder.remove());

describe('the standalone process', () => {
  it('loses no acknowledged change when it is killed, and starts again afterwards', async () => {
    const settings = { BASE_URL: 'http://localhost:8080' };
    const killed = await startStandalone(folder.path, settings);
    const server = await registerResourceServer(killed);
    const token = await issue(killed, { client_id: server.id, sub: 'alice', scope: 'read' });
    killed.child.kill('SIGKILL');
    await killed.ended;
    const again = await startStandalone(folder.path, settings);
    try {
      expect(again.masterToken).toBe(killed.masterToken);
      const read = await send(`${again.baseUrl}/clients/${server.id}`, 'GET', server.registrationToken);
      expect(JSON.parse(read.text)).toMatchObject({ client_id: server.id, client_secret: server.secret });
      expect(await introspect(again, server, { token })).toMatchObject({ active: true });
    } finally {
      await again.stop();
    }
  });

  it('runs twice in parallel over one folder, and either continues when the other ends', async () => {
    const settings = { BASE_URL: 'http://localhost:8080' };
    const [first, second] = await Promise.all([
      startStandalone(folder.path, settings),
      startStandalone(folder.path, settings),
    ]);
    const server = await registerResourceServer(first);
    expect(await first.stop()).toBe(0);
    const read = await send(`${second.baseUrl}/clients/${server.id}`, 'GET', server.registrationToken);
    expect(read.status).toBe(200);
    expect(await second.stop()).toBe(0);
  });

  it('leaves no database running if a request body arrives slowly at shutdown, and logs that it was aborted', async () => {
    const stack = await startStandalone(folder.path);
    const socket = connect(Number(new URL(stack.baseUrl).port), 'localhost').on('error', () => undefined);
    const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000';
    socket.write(`POST /token/introspect HTTP/1.1\r\nHost: a\r\n${form}\r\nExpect: 100-continue\r\n\r\n`);
    // The response 100 Continue shows that the request has started.
    await once(socket, 'data');
    const drip = setInterval(() => socket.write('a'), 100);
    expect(await stack.stop()).toBe(1);
    clearInterval(drip);
    expect(existsSync(join(folder.path, 'postgres', 'cluster', 'data', 'postmaster.pid'))).toBe(false);
  });

  it('keeps its secrets in files that only its user can read', async () => {
    const stack = await startStandalone(folder.path);
    await stack.stop();
    for (const name of ['master-token', 'encryption-keys'])
      expect(statSync(join(folder.path, name)).mode & 0o777).toBe(0o600);
  });
});

describe('a standalone process that cannot start', () => {
  it('names every invalid setting, its own and those of every service, shows no value and creates nothing', async () => {
    const secret = 'not-a-key-but-secret-all-the-same';
    const dataFolder = join(folder.path, 'data');
    const { ended, output } = startProgram({
      DATA_DIR: dataFolder,
      PORT: 'eighty',
      LOG_LEVEL: 'loud',
      ENCRYPTION_KEYS: secret,
      CLIENT_SECRET_LIFETIME_SECONDS: 'for ever',
      ALLOW_OPEN_REGISTRATION: 'perhaps',
      ACCESS_TOKEN_LIFETIME_SECONDS: '0',
      INTROSPECTION_PRUNE_AUDIENCE: 'yes',
      // Each is valid, but not together.
      SIGNING_ALGORITHMS: 'ES256',
      ACCESS_TOKEN_SIGNING_ALG: 'RS256',
      SOFTWARE_STATEMENT_REQUIRED: 'true',
    });
    expect(await ended).toBe(2);
    const names = [...output().matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name);
    expect(names.sort()).toEqual([
      'ACCESS_TOKEN_LIFETIME_SECONDS',
      'ACCESS_TOKEN_SIGNING_ALG',
      'ALLOW_OPEN_REGISTRATION',
      'CLIENT_SECRET_LIFETIME_SECONDS',
      'ENCRYPTION_KEYS',
      'INTROSPECTION_PRUNE_AUDIENCE',
      'LOG_LEVEL',
      'PORT',
      'SOFTWARE_STATEMENT_ISSUERS',
    ]);
    expect(output()).not.toContain(secret);
    expect(existsSync(dataFolder)).toBe(false);
  });

  it('leaves no database running if it is stopped while it starts', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const data = join(folder.path, signal);
      const run = join(data, 'postgres', 'cluster', 'data', 'postmaster.pid');
      const { child, ended, output } = startProgram({ DATA_DIR: data, PORT: '0' });
      await expect.poll(() => existsSync(run), { timeout: 30_000, interval: 5 }).toBe(true);
      child.kill(signal);
      expect(await ended).toBe(0);
      expect(existsSync(run)).toBe(false);
      expect(output()).toBe('');
    }
  });

  it('says in one sentence that its keys do not open the database, and leaves none running', async () => {
    const settings = { BASE_URL: 'http://localhost:8080' };
    const first = await startStandalone(folder.path, settings);
    await first.stop();
    const { ended, output } = startProgram({
      DATA_DIR: folder.path,
      PORT: '0',
      ENCRYPTION_KEYS: randomBytes(32).toString('base64url'),
      LOG_LEVEL: 'silent',
    });
    expect(await ended).toBe(1);
    expect(output()).toBe(
      'standalone: ENCRYPTION_KEYS does not open this database: it was created with other keys.\n',
    );
    expect(existsSync(join(folder.path, 'postgres', 'cluster', 'data', 'postmaster.pid'))).toBe(false);
  });

  it.each(['master-token', 'encryption-keys'])('refuses a file %s without its secret', async (name) => {
    for (const [text, what] of [
      ['', 'missing'],
      ['\n', 'missing'],
      ['short\n', 'too short'],
    ]) {
      const file = join(folder.path, name);
      writeFileSync(file, text ?? '');
      const { ended, output } = startProgram({ DATA_DIR: folder.path, PORT: '0' });
      expect(await ended).toBe(1);
      expect(output()).toBe(
        `standalone: The secret in ${file} is ${what}: restore it from a backup, or delete the file if nothing depends on it yet.\n`,
      );
    }
  });

  it('says in one sentence that its port is in use', async () => {
    const occupant = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => occupant.listen(port, '127.0.0.1', resolve));
    const { ended, output } = startProgram({
      DATA_DIR: folder.path,
      PORT: String(port),
      MANAGEMENT_PORT: '0',
      LOG_LEVEL: 'silent',
    });
    expect(await ended).toBe(1);
    expect(output()).toBe(
      `standalone: Cannot listen on 127.0.0.1, port ${port} (PORT): the port is already in use.\n`,
    );
    await new Promise((resolve) => occupant.close(resolve));
  });

  it('says in one sentence that its data folder cannot be used', async () => {
    const file = join(folder.path, 'a-file');
    writeFileSync(file, '');
    const { ended, output } = startProgram({ DATA_DIR: join(file, 'below'), PORT: '0' });
    expect(await ended).toBe(1);
    expect(output()).toBe(
      `standalone: The data folder ${join(file, 'below')} cannot be used: a part of its path is not a folder.\n`,
    );
  });

  it('says in one sentence what is wrong with the database, and logs the cause at debug', async () => {
    const port = await freePort();
    const url = await aDatabase();
    const address = new URL(url);
    const wrongPassword = Object.assign(new URL(url), { password: 'wrong-password' }).href;
    const wrongName = Object.assign(new URL(url), { pathname: '/nowhere' }).href;
    const closed = Object.assign(new URL(url), { port: String(port) }).href;
    const readOnly = `${url}?options=-c%20default_transaction_read_only%3Don`;
    const cases = [
      [closed, 'The database cannot be reached: check the address in DATABASE_URL.', 'ECONNREFUSED'],
      [wrongPassword, REFUSED, '28P01'],
      [wrongName, REFUSED, '3D000'],
      [
        readOnly,
        'The database responds, but its schema could not be migrated: see the log of PostgreSQL.',
        'SchemaConnectorError',
      ],
    ] as const;
    for (const [DATABASE_URL, sentence, code] of cases) {
      const settings = { DATA_DIR: folder.path, DATABASE_URL, PORT: '0' };
      const [quiet, talkative] = [startProgram(settings), startProgram({ ...settings, LOG_LEVEL: 'debug' })];
      expect(await Promise.all([quiet.ended, talkative.ended])).toEqual([1, 1]);
      expect(quiet.output()).toBe(`standalone: ${sentence}\n`);
      expect(talkative.output()).toContain(`standalone: ${sentence}\n`);
      expect(talkative.output()).toContain('"level":"debug"');
      expect(talkative.output()).toContain(code);
      for (const secret of ['wrong-password', address.password])
        expect(talkative.output()).not.toContain(secret);
    }
  });
});

const REFUSED = 'The database refuses the login: check user, password and database name in DATABASE_URL.';

/** The address of an empty database. */
async function aDatabase(): Promise<string> {
  const server = await startPostgres({ dataFolder: join(folder.path, 'other'), durable: false });
  onTestFinished(() => server.stop());
  await server.createDatabase('other');
  return server.url('other');
}
