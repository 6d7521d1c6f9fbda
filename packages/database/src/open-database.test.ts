import { createServer, type Server, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aClient, aDigest, anAccessToken, anId, NOW, opened, twoProcesses } from './testing/fixtures.js';
import { aMigratedDatabase, holdingRows, query } from './testing/test-database.js';

const TERMINATE = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'vestibule'`;

describe('openDatabase', () => {
  it('does not connect when it is opened, and fails within its timeouts when there is no server', async () => {
    const database = opened({ url: 'postgresql://user:secret-word@127.0.0.1:1/none' });
    const failure = await database.ping().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'ECONNREFUSED' });
    expect(String(failure)).not.toContain('secret-word');
  });

  it('fails within its timeouts when a server accepts connections and sends nothing', async () => {
    const server = await silentServer();
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const database = opened({ url: `postgresql://user:x@127.0.0.1:${port}/none` });
    const started = performance.now();
    await expect(database.ping()).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  // A burst is served a moment later; only statements that would wait longer than a caller are refused.
  it('lets statements wait for a free connection in order', async () => {
    const url = await aMigratedDatabase();
    const database = opened({ url, poolSize: 1, statementTimeoutMs: 60_000 });
    await database.clients.create(aClient());
    await holdingRows(url, 'SELECT FROM client', async () => {
      const waiting = database.clients.replace({ client: aClient({ version: 2 }) }).catch(() => 'gave up');
      const order: number[] = [];
      const burst = Array.from({ length: 200 }, (_, index) => database.ping().then(() => order.push(index)));
      // The lock is released after two seconds.
      expect(await waiting).toBe('gave up');
      await Promise.all(burst);
      expect(order).toEqual(Array.from({ length: 200 }, (_, index) => index));
    });
  });

  it('rejects a statement that has waited longer than the statement timeout, and recovers', async () => {
    const url = await aMigratedDatabase();
    await opened({ url }).clients.create(aClient());
    const database = opened({ url, poolSize: 1, statementTimeoutMs: 200 });
    await holdingRows(url, 'SELECT FROM client', async () => {
      const busy = Array.from({ length: 3 }, () =>
        database.clients
          .replace({ client: aClient({ version: 2 }) })
          .catch((error: unknown) => String(error)),
      );
      expect((await Promise.all(busy)).at(-1)).toMatch(/all connections .* busy/);
    });
    expect(await vi.waitFor(() => database.clients.find(anId('client')), 60_000)).toStrictEqual(aClient());
  });

  it('applies a timeout to every statement', async () => {
    const url = await aMigratedDatabase();
    const database = opened({ url, statementTimeoutMs: 50 });
    await query(url, "INSERT INTO replayed_assertion VALUES (sha256('a'), to_timestamp(0))");
    await query(url, beforeDelete('replayed_assertion', 'PERFORM pg_sleep(1);'));
    await expect(database.cleanUp({ now: NOW })).rejects.toMatchObject({ code: '57014' });
    await vi.waitFor(() => database.ping(), 60_000);
  });

  // Otherwise a restart of the database server would end every service.
  it('survives the loss of idle connections, and reads continue without an error', async () => {
    const { url } = await twoProcesses();
    const broken: Error[] = [];
    const database = opened({ url, onConnectionError: (error) => broken.push(error) });
    await database.clients.create(aClient());
    for (let round = 0; round < 5; round += 1) {
      const reads = Array.from({ length: 10 }, () => database.clients.find(anId('client')));
      await Promise.all([query(url, TERMINATE), ...reads]);
      await query(url, TERMINATE);
      expect(await database.clients.find(anId('client'))).toStrictEqual(aClient());
      expect(await database.dataKeys.list()).toEqual([]);
    }
    // While a statement runs, the loss is an error of that statement.
    await database.ping();
    await query(url, TERMINATE);
    await expect.poll(() => broken.length).toBeGreaterThan(0);
  });

  it('keeps a connection whose statement the database rejected', async () => {
    const url = await aMigratedDatabase();
    const database = opened({ url, poolSize: 1 });
    const connections = () =>
      query(
        url,
        `SELECT pid FROM pg_stat_activity WHERE application_name = 'vestibule' AND datname = current_database()`,
      );
    await database.clients.create(aClient());
    const before = await connections();
    expect(await database.clients.create(aClient())).toBe('id_taken');
    expect(await database.accessTokens.insert(aDigest('t'), anAccessToken({ clientId: anId('x') }))).toBe(
      false,
    );
    expect(await connections()).toEqual(before);
  });

  it('retries statements that the database rolled back in favour of another one, at most three times', async () => {
    const { url, one, other } = await twoProcesses();
    await one.clients.create(aClient());
    await one.accessTokens.insert(aDigest('t'), anAccessToken());
    await query(
      url,
      beforeDelete('access_token', `IF nextval('attempt') % 5 > 0 THEN RAISE SQLSTATE '40001'; END IF;`),
    );
    const claim = () => other.accessTokens.claim([aDigest('t')], [anId('api')], NOW);
    await expect(claim()).rejects.toMatchObject({ code: '40001' });
    expect(await one.accessTokens.find([aDigest('t')])).toBeDefined();
    expect(await claim()).toStrictEqual(anAccessToken());
    expect(await claim()).toBeUndefined();
  });

  it('closes once, and then rejects statements', async () => {
    const { one } = await twoProcesses();
    await one.ping();
    await Promise.all([one.close(), one.close()]);
    await expect(one.ping()).rejects.toThrow();
  });
});

/** Creates a trigger before each deletion from a table; `attempt` also counts rolled-back ones. */
function beforeDelete(table: string, statement: string): string {
  return `CREATE SEQUENCE attempt;
    CREATE FUNCTION before_delete() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN ${statement} RETURN OLD; END
    $$;
    CREATE TRIGGER before_delete BEFORE DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION before_delete()`;
}

/** A server that accepts connections and never sends anything. */
async function silentServer(): Promise<Server> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return server;
}
