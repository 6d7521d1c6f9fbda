import { nowSeconds, systemClock } from '@vestibule/protocol';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aReader, everyChange, recorded } from '../testing/changes.js';
import { aClient, anId, twoProcesses } from '../testing/fixtures.js';
import { query } from '../testing/test-database.js';

/** Timeout for expected events, in milliseconds, long enough for a busy machine. */
const EVENTUALLY = 60_000;

async function createFixture() {
  const { url, one, other } = await twoProcesses();
  const start = await recorded(one);
  const end = async (id: string) => {
    await one.clients.create(aClient({ id: anId(id) }));
    await one.clients.delete(anId(id), nowSeconds(systemClock));
  };
  const connect = async () => {
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };
  return { url, one, other, start, end, connect };
}

describe('the order of changes', () => {
  it('contains a change of a transaction that commits late, for a reader that was ahead', async () => {
    const { one, other, start, end, connect } = await createFixture();
    await end('before');
    await one.clients.create(aClient({ id: anId('late') }));
    const reader = aReader(other, start);
    expect((await reader.next()).members).toEqual({ client_id: 'before' });
    const late = await connect();
    await late.query(`BEGIN; DELETE FROM client WHERE id = 'late'`);
    await end('early');
    expect(await reader.available()).toEqual([]);
    await late.query('COMMIT');
    const seen = [await reader.next(), await reader.next()];
    expect(seen.map(({ members }) => members)).toEqual([{ client_id: 'late' }, { client_id: 'early' }]);
  });

  it('says since when changes wait for a transaction that commits late', async () => {
    const { one, start, end, connect } = await createFixture();
    await one.clients.create(aClient({ id: anId('late') }));
    const late = await connect();
    await late.query(`BEGIN; DELETE FROM client WHERE id = 'late'`);
    const before = nowSeconds(systemClock);
    await end('early');
    await end('later');
    for (const end of [await one.changes.latest(), await one.changes.page(start.lastEventId, 1)]) {
      expect(end.pendingSince).toBeGreaterThanOrEqual(before);
      expect(end.pendingSince).toBeLessThanOrEqual(nowSeconds(systemClock));
    }
    await late.query('COMMIT');
    await vi.waitFor(
      async () => expect((await one.changes.latest()).pendingSince).toBeUndefined(),
      EVENTUALLY,
    );
  });

  it('is the same for every reader, and continues exactly after any change', async () => {
    const { one, other, start, end } = await createFixture();
    await Promise.all(Array.from({ length: 250 }, (_, index) => end(`client-${index}`)));
    const all = await aReader(one, start).rest();
    expect(all).toHaveLength(250);
    expect(new Set(all.map(({ id }) => id)).size).toBe(250);
    for (const index of [0, 99, 100, 248, 249]) {
      const rest = aReader(other, { lastEventId: all[index]?.id });
      expect(await rest.rest()).toEqual(all.slice(index + 1));
    }
  });

  it('has no gap for a reader that follows while many write', async () => {
    const { other, start, end } = await createFixture();
    const reader = aReader(other, start);
    const ids = Array.from({ length: 300 }, (_, index) => `client-${index}`);
    const writing = Promise.all(ids.map(end));
    const seen = new Set<unknown>();
    while (seen.size < ids.length) seen.add((await reader.next()).members['client_id']);
    await writing;
    expect(await reader.rest()).toEqual([]);
    expect([...seen].sort()).toEqual(ids.sort());
  });
});

describe('a reader', () => {
  it('without a position gets a reset, and what happens from then on', async () => {
    const { one, end } = await createFixture();
    await end('before');
    await everyChange(one);
    for (const name of ['first', 'second']) {
      const reader = aReader(one, {});
      expect(await reader.next()).toMatchObject({ type: 'reset', reason: 'no_position' });
      await end(name);
      expect((await reader.next()).members).toEqual({ client_id: name });
    }
  });

  it('continues after a reset', async () => {
    const { one, end } = await createFixture();
    await end('before');
    await everyChange(one);
    const { id } = await aReader(one, {}).next();
    await end('next');
    const [next, ...none] = await aReader(one, { lastEventId: id }).rest();
    expect([next?.members, none]).toEqual([{ client_id: 'next' }, []]);
  });

  it('from the start gets everything that is kept', async () => {
    const { one, end } = await createFixture();
    await end('before');
    await everyChange(one);
    const all = await aReader(one, { isFromStart: true }).rest();
    expect(all.map(({ type }) => type)).toEqual(['reset', 'client.ended']);
  });

  it.each([
    'x',
    '',
    '6f1d2c1e-8a53-4f6b-9c1d-2f0a7be41c55',
    '1-1-6f1d2c1e-8a53-4f6b-9c1d-2f0a7be41c55',
    `${'9'.repeat(30)}-1-6f1d2c1e-8a53-4f6b-9c1d-2f0a7be41c55`,
    "1-1-6f1d2c1e-8a53-4f6b-9c1d-2f0a7be41c55'",
    '\0',
  ])('with the unknown position "%s" gets a reset', async (lastEventId) => {
    const { one, end } = await createFixture();
    await end('before');
    await everyChange(one);
    const reader = aReader(one, { lastEventId });
    expect(await reader.next()).toMatchObject({ type: 'reset', reason: 'unknown_position' });
    expect(await reader.rest()).toEqual([]);
  });

  it('with the position of another row gets a reset', async () => {
    const { one, end } = await createFixture();
    await end('before');
    await everyChange(one);
    const { id } = await aReader(one, {}).next();
    const [transaction, row] = id.split('-');
    const reader = aReader(one, {
      lastEventId: `${transaction}-${row}-6f1d2c1e-8a53-4f6b-9c1d-2f0a7be41c55`,
    });
    expect(await reader.next()).toMatchObject({ type: 'reset', reason: 'unknown_position', id });
  });

  it('goes on after its connections were cut', async () => {
    const { url, other, start, end } = await createFixture();
    await end('before');
    const reader = aReader(other, start);
    await reader.next();
    for (let round = 0; round < 3; round += 1) {
      await query(
        url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      await vi.waitFor(() => end(`round-${round}`), EVENTUALLY);
      expect((await reader.next()).members).toEqual({ client_id: `round-${round}` });
    }
  });

  it('gets a reset if its last change is gone from the log', async () => {
    const { url, other, start, end } = await createFixture();
    await end('lost');
    await end('kept');
    const reader = aReader(other, start);
    expect(await reader.rest()).toHaveLength(2);
    // As after a failover to a server that lacks the last transaction.
    await query(url, `DELETE FROM change WHERE members->>'client_id' = 'kept'`);
    expect(await reader.next()).toMatchObject({ type: 'reset', reason: 'unknown_position' });
    await end('next');
    expect((await reader.next()).members).toEqual({ client_id: 'next' });
  });
});
