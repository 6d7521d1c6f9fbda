import { statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@vestibule/local-services';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { introspect, issue, registerResourceServer, send } from './support/api.js';
import { startProgram, startStandalone, temporaryFolder } from './support/standalone-process.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(() => folder.remove());

describe('the standalone process', () => {
  it('loses nothing that it acknowledged when it is killed, and starts again over what it left', async () => {
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

  it('runs twice side by side over one folder, and either goes on when the other ends', async () => {
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

  it('keeps its secrets in files that nobody else can read', async () => {
    const stack = await startStandalone(folder.path);
    await stack.stop();
    for (const name of ['master-token', 'encryption-keys'])
      expect(statSync(join(folder.path, name)).mode & 0o777).toBe(0o600);
  });
});

describe('a standalone process that cannot start', () => {
  it('names every setting that is wrong, and shows no value', async () => {
    const secret = 'not-a-key-but-secret-all-the-same';
    const { ended, output } = startProgram({
      DATA_DIR: folder.path,
      ENCRYPTION_KEYS: secret,
      CLIENT_SECRET_LIFETIME_SECONDS: 'for ever',
      ALLOW_OPEN_REGISTRATION: 'perhaps',
      ACCESS_TOKEN_LIFETIME_SECONDS: '0',
      INTROSPECTION_PRUNE_AUDIENCE: 'yes',
    });
    expect(await ended).toBe(2);
    for (const name of [
      'ENCRYPTION_KEYS',
      'CLIENT_SECRET_LIFETIME_SECONDS',
      'ALLOW_OPEN_REGISTRATION',
      'ACCESS_TOKEN_LIFETIME_SECONDS',
      'INTROSPECTION_PRUNE_AUDIENCE',
    ])
      expect(output().match(new RegExp(`^ {2}${name}: `, 'gm'))).toHaveLength(1);
    expect(output()).not.toContain(secret);
  });

  it('says in one sentence that its port is in use', async () => {
    const occupant = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => occupant.listen(port, '127.0.0.1', resolve));
    const { ended, output } = startProgram({
      DATA_DIR: folder.path,
      PORT: String(port),
      MANAGEMENT_PORT: '0',
    });
    expect(await ended).toBe(1);
    expect(output()).toBe(
      `standalone: Cannot listen on 127.0.0.1, port ${port}: the port is already in use.\n`,
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

  it('says in one sentence that the database is not there', async () => {
    const port = await freePort();
    const { ended, output } = startProgram({
      DATA_DIR: folder.path,
      DATABASE_URL: `postgresql://somebody:secret-password@127.0.0.1:${port}/vestibule`,
      PORT: '0',
    });
    expect(await ended).toBe(1);
    expect(output()).toBe('standalone: The database does not answer or cannot be brought up to date.\n');
  });
});
