import { nowSeconds, systemClock } from '@vestibule/protocol';
import type { ChangeLog, OpenChangeNotices } from '@vestibule/tokens/changes';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../open-database.js';
import { aFollower, aReader, everyChange, RETENTION_SECONDS, recorded, said } from '../testing/changes.js';
import { aClient, anId, twoProcesses } from '../testing/fixtures.js';
import { countRows, holdingLock, query, untilWaiting } from '../testing/test-database.js';

async function aLog() {
  const { url, one, other } = await twoProcesses();
  const end = async (id: string) => {
    await one.clients.create(aClient({ id: anId(id) }));
    await one.clients.delete(anId(id), nowSeconds(systemClock));
  };
  const sql = <Row>(statement: string) => query<Row>(url, statement);
  const begin = async (statement: string) => {
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(statement);
    return client;
  };
  return { url, one, other, end, sql, begin };
}

const ENDED = (id: string) => ['client.ended', 'deleted', { client_id: id }];
const BEGIN = ['reset', 'no_position', {}];
/** As if the last reader had left long ago. */
const USE_ENDS = `UPDATE change_use SET until = now() - interval '1 second'`;

describe('a change', () => {
  it('is not recorded before the first reader, nor after the retention of the last one', async () => {
    const { url, one, end, sql } = await aLog();
    await end('before');
    expect(await countRows(url, 'change')).toBe(0);
    await recorded(one);
    await end('used');
    await sql(USE_ENDS);
    await end('after');
    expect((await everyChange(one)).map(said)).toEqual([BEGIN, ENDED('used')]);
  });

  it('costs no notification without a reader, and then one for each transaction', async () => {
    const { url, one, end, sql } = await aLog();
    const listener = new pg.Client(url);
    await listener.connect();
    onTestFinished(() => listener.end());
    const heard: string[] = [];
    listener.on('notification', ({ channel }) => heard.push(channel));
    await listener.query('LISTEN vestibule_change; LISTEN done');
    await end('before');
    await listener.query('NOTIFY done');
    expect(heard.splice(0)).toEqual(['done']);
    await recorded(one);
    for (const id of ['a', 'b']) await one.clients.create(aClient({ id: anId(id) }));
    await listener.query('NOTIFY done');
    heard.splice(0);
    await sql(`BEGIN; DELETE FROM client WHERE id = 'a'; DELETE FROM client WHERE id = 'b'; COMMIT`);
    await listener.query('NOTIFY done');
    expect(heard).toEqual(['vestibule_change', 'done']);
  });
});

describe('the first reader', () => {
  it('learns of no end too late: it starts after the transactions that do not record', async () => {
    const { one, other, begin } = await aLog();
    await one.clients.create(aClient({ id: anId('late') }));
    const late = await begin(`BEGIN; DELETE FROM client WHERE id = 'late'`);
    const reader = aReader(other, {});
    // It is told to compare only when it can see what that transaction did.
    expect(await reader.available()).toEqual([]);
    await late.query('COMMIT');
    expect(await reader.next()).toMatchObject({ type: 'reset', reason: 'no_position' });
    expect(await one.clients.find(anId('late'))).toBeUndefined();
    expect(await reader.rest()).toEqual([]);
  });

  it('misses nothing of a transaction that began before and ends something afterwards', async () => {
    const { url, one, other, begin } = await aLog();
    for (const id of ['first', 'second']) await one.clients.create(aClient({ id: anId(id) }));
    const late = await begin(`BEGIN; DELETE FROM client WHERE id = 'first'`);
    const reader = aReader(other, {});
    const reset = reader.next();
    await expect.poll(() => countRows(url, 'change'), { timeout: 30_000 }).toBe(1);
    await late.query(`DELETE FROM client WHERE id = 'second'; COMMIT`);
    expect(await reset).toMatchObject({ type: 'reset', reason: 'no_position' });
    expect(await one.clients.find(anId('second'))).toBeUndefined();
  });

  it('waits for a transaction that has looked, and written nothing yet', async () => {
    const { other, begin } = await aLog();
    const late = await begin('BEGIN; SELECT vestibule_is_change_used()');
    const reader = aReader(other, {});
    expect(await reader.available()).toEqual([]);
    await late.query('COMMIT');
    expect(await reader.next()).toMatchObject({ type: 'reset' });
  });

  it.each(['REPEATABLE READ', 'SERIALIZABLE'])(
    'learns of a transaction in isolation level %s that looked before',
    async (level) => {
      const { one, begin } = await aLog();
      await one.clients.create(aClient({ id: anId('late') }));
      const late = await begin(`BEGIN ISOLATION LEVEL ${level}; SELECT FROM client`);
      const { lastEventId } = await recorded(one);
      const reader = aReader(one, { lastEventId });
      await late.query(`DELETE FROM client WHERE id = 'late'; COMMIT`);
      expect(said(await reader.next())).toEqual(ENDED('late'));
    },
  );

  it('is one of many at the same time: the log begins once', async () => {
    const { one, other, end } = await aLog();
    const readers = Array.from({ length: 10 }, (_, index) => aReader(index % 2 ? one : other, {}));
    for (const reader of readers) expect((await reader.next()).type).toBe('reset');
    await end('next');
    for (const reader of readers) expect(said(await reader.next())).toEqual(ENDED('next'));
    expect((await everyChange(one)).map(said)).toEqual([BEGIN, ENDED('next')]);
  });
});

describe('the time until which changes are recorded', () => {
  const left = async (sql: Awaited<ReturnType<typeof aLog>>['sql']) => {
    const [row] = await sql<{ left: number; version: string }>(
      'SELECT extract(epoch FROM until - now())::float8 AS left, xmin::text AS version FROM change_use',
    );
    return row ?? { left: 0, version: '' };
  };

  it('lasts longer than the retention, and is prolonged once less than that is left', async () => {
    const { one, sql } = await aLog();
    const first = aReader(one, {});
    await first.next();
    const before = await left(sql);
    expect(before.left).toBeGreaterThan(RETENTION_SECONDS);
    await aReader(one, {}).next();
    await first.available();
    expect((await left(sql)).version).toBe(before.version);
    await sql(`UPDATE change_use SET until = now() + interval '${RETENTION_SECONDS - 60} seconds'`);
    await expect
      .poll(async () => (await left(sql)).left, { timeout: 30_000 })
      .toBeGreaterThan(RETENTION_SECONDS);
  });

  it('is not shortened by a process with a shorter retention', async () => {
    const { one, other, sql } = await aLog();
    await one.changes.record(RETENTION_SECONDS);
    const { version } = await left(sql);
    await other.changes.record(60);
    expect(version).not.toBe('');
    expect((await left(sql)).left).toBeGreaterThan(RETENTION_SECONDS - 600);
  });
});

/** Lets readers follow in a process that reads the log once, and again only when it is told to. */
function aStandingFollower(database: Database) {
  let [notify, begin] = [() => {}, () => {}];
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const log: ChangeLog = {
    ...database.changes,
    latest: async () => {
      const latest = await database.changes.latest();
      setImmediate(begin);
      return latest;
    },
  };
  const openNotices: OpenChangeNotices = (onNotice) => {
    notify = onNotice;
    return { close: () => undefined };
  };
  const follow = aFollower(database, { log, openNotices, idleMs: 600_000 });
  return { follow, begun, notify: () => notify() };
}

describe('a reader that comes back', () => {
  /** Reads up to a reset, and the one that a new log begins with, which may follow after another reason. */
  const untilReset = async (reader: ReturnType<typeof aReader>): Promise<void> => {
    while ((await reader.next()).type !== 'reset');
    for (const { type } of await reader.rest()) expect(type).toBe('reset');
  };

  it('gets a reset after a time in which nothing was recorded', async () => {
    const { one, end, sql } = await aLog();
    const { lastEventId } = await recorded(one);
    await end('told');
    await sql(USE_ENDS);
    await end('missed');
    const reader = aReader(one, { lastEventId });
    await untilReset(reader);
    await end('next');
    expect(said(await reader.next())).toEqual(ENDED('next'));
  });

  it('gets a reset even if a process was killed while it began the log anew', async () => {
    const { one, sql, end } = await aLog();
    const { lastEventId } = await recorded(one);
    await sql(USE_ENDS);
    await end('missed');
    // The first of two transactions: the time is stored, and the reset is not there yet.
    await sql(`UPDATE change_use SET until = now() + interval '30 days', is_announced = false`);
    await end('recorded');
    const reader = aReader(one, { lastEventId });
    const seen = [await reader.next(), await reader.next()];
    expect(seen.map(({ type }) => type).sort()).toEqual(['client.ended', 'reset']);
  });

  it('that follows all the time gets a reset too', async () => {
    const { one, other, end, sql } = await aLog();
    const reader = aReader(other, await recorded(one));
    await end('told');
    expect(said(await reader.next())).toEqual(ENDED('told'));
    await sql(USE_ENDS);
    await end('missed');
    await untilReset(reader);
    await end('next');
    expect(said(await reader.next())).toEqual(ENDED('next'));
  });

  it('gets another reset after one that it got while the log began anew', async () => {
    const { url, one, other, end, sql } = await aLog();
    const { lastEventId } = await recorded(one);
    await end('told');
    const told = (await everyChange(one)).at(-1);
    const { follow, begun, notify } = aStandingFollower(other);
    const current = aReader(other, { lastEventId: told?.id }, follow).next();
    await begun;
    await sql(USE_ENDS);
    const behind = await holdingLock(url, 'LOCK change_use IN SHARE ROW EXCLUSIVE MODE', async () => {
      const recording = one.changes.record(2 * RETENTION_SECONDS);
      await untilWaiting(url);
      const reader = aReader(other, { lastEventId }, follow);
      expect(await reader.next()).toMatchObject({ id: told?.id, reason: 'unknown_position' });
      await end('missed');
      return { reader, rest: reader.rest(), recording };
    });
    await behind.recording;
    notify();
    expect((await behind.rest).map(({ type }) => type)).toEqual(['reset']);
    expect((await current).type).toBe('reset');
    await end('next');
    notify();
    expect(said(await behind.reader.next())).toEqual(ENDED('next'));
  });

  it('gets a reset after a dump was restored in another server, whose rows are removed', async () => {
    const { one, end, sql } = await aLog();
    const { lastEventId } = await recorded(one);
    await end('here');
    await everyChange(one);
    await sql(`UPDATE change_use SET origin = 'another'`);
    const reader = aReader(one, { lastEventId });
    await untilReset(reader);
    expect((await everyChange(one)).map(said)).toEqual([BEGIN]);
    await end('next');
    expect(said(await reader.next())).toEqual(ENDED('next'));
  });

  it('does not wait for transactions that another server counted', async () => {
    const { one, end, sql } = await aLog();
    await recorded(one);
    await end('here');
    await everyChange(one);
    await sql(`INSERT INTO change (transaction, "type", reason, members)
      SELECT max(transaction) + 1000000, 'client.ended', 'deleted', '{}' FROM change`);
    const reader = aReader(one, {});
    await untilReset(reader);
    await end('next');
    expect(said(await reader.next())).toEqual(ENDED('next'));
    expect((await everyChange(one)).map(said)).toEqual([BEGIN, ENDED('next')]);
  });
});

describe('old changes', () => {
  const now = nowSeconds(systemClock);

  it('are deleted after the retention, up to the one after which readers without a gap continue', async () => {
    const { one, end, sql } = await aLog();
    await recorded(one);
    for (const id of ['a', 'b', 'c']) await end(id);
    await sql(`UPDATE change SET occurred_at = now() - interval '10 days'
      WHERE coalesce(members->>'client_id', '') <> 'c'`);
    const [, a, b] = await everyChange(one);
    expect((await one.cleanUp({ now })).change).toBe(2);
    expect((await everyChange(one)).map(said)).toEqual([ENDED('b'), ENDED('c')]);
    expect((await aReader(one, { lastEventId: a?.id }).next()).reason).toBe('unknown_position');
    expect((await aReader(one, { lastEventId: b?.id }).rest()).map(said)).toEqual([ENDED('c')]);
  });

  it('stay behind a newer one, so that no reader has a gap', async () => {
    const { one, end, sql } = await aLog();
    await recorded(one);
    for (const id of ['a', 'b', 'c', 'd']) await end(id);
    await everyChange(one);
    // A long transaction is noted at the time of its start, behind shorter ones.
    await sql(
      `UPDATE change SET occurred_at = now() - interval '10 days' WHERE members->>'client_id' IN ('b', 'c')`,
    );
    expect((await one.cleanUp({ now })).change).toBe(0);
    await sql(`UPDATE change SET occurred_at = now() - interval '10 days'`);
    expect((await one.cleanUp({ now, batchSize: 2 })).change).toBe(4);
    expect((await everyChange(one)).map(said)).toEqual([ENDED('d')]);
  });

  it('are not deleted while an older transaction may still add one before them', async () => {
    const { one, other, end, sql, begin } = await aLog();
    const { lastEventId } = await recorded(one);
    await one.clients.create(aClient({ id: anId('late') }));
    const late = await begin(`BEGIN; DELETE FROM client WHERE id = 'late'`);
    for (const id of ['a', 'b']) await end(id);
    await sql(`UPDATE change SET occurred_at = now() - interval '10 days'`);
    expect((await one.cleanUp({ now })).change).toBe(0);
    await late.query('COMMIT');
    const rest = await aReader(other, { lastEventId }).rest();
    expect(rest.map(({ members }) => members['client_id'])).toEqual(['late', 'a', 'b']);
  });

  it('are deleted by one process at a time, so that a rollback leaves no gap', async () => {
    const { url, one, other, end, sql, begin } = await aLog();
    await recorded(one);
    for (let index = 0; index < 20; index += 1) await end(String(index));
    await everyChange(one);
    await sql(`UPDATE change SET occurred_at = now() - interval '10 days'`);
    const holder = await begin('BEGIN; SELECT FROM change ORDER BY transaction, id LIMIT 1 FOR UPDATE');
    const blocked = one.cleanUp({ now, batchSize: 5 });
    await untilWaiting(url);
    expect((await other.cleanUp({ now, batchSize: 5 })).change).toBe(0);
    await holder.query('COMMIT');
    expect((await blocked).change).toBe(20);
  });

  it('are all deleted when changes are no longer recorded', async () => {
    const { url, one, end, sql } = await aLog();
    await recorded(one);
    for (const id of ['a', 'b', 'c']) await end(id);
    await everyChange(one);
    expect((await one.cleanUp({ now, batchSize: 2 })).change).toBe(0);
    await sql(USE_ENDS);
    expect((await one.cleanUp({ now, batchSize: 2 })).change).toBe(4);
    expect(await countRows(url, 'change')).toBe(0);
  });
});
