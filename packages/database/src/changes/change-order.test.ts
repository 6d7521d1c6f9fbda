import { nowSeconds, systemClock } from '@vestibule/protocol';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CLEAN_UP_TABLES } from '../clean-up.js';
import { aReader } from '../testing/changes.js';
import { aClient, anId, twoProcesses } from '../testing/fixtures.js';
import { countRows, query } from '../testing/test-database.js';

/** Timeout for expected events, in milliseconds, long enough for a busy machine. */
const EVENTUALLY = 60_000;

async function createFixture() {
  const { url, one, other } = await twoProcesses();
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
  return { url, one, other, end, connect };
}

describe('the order of changes', () => {
  it('contains a change of a transaction that commits late, for a reader that was ahead', async () => {
    const { one, other, end, connect } = await createFixture();
    await end('before');
    await one.clients.create(aClient({ id: anId('late') }));
    const reader = await aReader(other);
    expect((await reader.next()).members).toEqual({ client_id: 'before' });
    const late = await connect();
    await late.query(`BEGIN; DELETE FROM client WHERE id = 'late'`);
    await end('early');
    expect(await reader.available()).toEqual([]);
    await late.query('COMMIT');
    const seen = [await reader.next(), await reader.next()];
    expect(seen.map(({ members }) => members)).toEqual([{ client_id: 'late' }, { client_id: 'early' }]);
  });

  it('is the same for every reader, and continues exactly after any change', async () => {
    const { one, other, end } = await createFixture();
    await Promise.all(Array.from({ length: 250 }, (_, index) => end(`client-${index}`)));
    const all = await (await aReader(one)).rest();
    expect(all).toHaveLength(250);
    expect(new Set(all.map(({ id }) => id)).size).toBe(250);
    for (const index of [0, 99, 100, 248, 249]) {
      const rest = await aReader(other, { lastEventId: all[index]?.id });
      expect(await rest.rest()).toEqual(all.slice(index + 1));
    }
  });

  it('has no gap for a reader that follows while many write', async () => {
    const { other, end } = await createFixture();
    const reader = await aReader(other);
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
    for (const isEmpty of [true, false]) {
      const reader = await aReader(one, {});
      expect(await reader.next(), String(isEmpty)).toMatchObject({ type: 'reset', reason: 'no_position' });
      await end('next');
      expect((await reader.next()).members).toEqual({ client_id: 'next' });
    }
  });

  it('continues after a reset', async () => {
    const { one, end } = await createFixture();
    await end('before');
    const { id } = await (await aReader(one, {})).next();
    await end('next');
    const [next, ...none] = await (await aReader(one, { lastEventId: id })).rest();
    expect([next?.members, none]).toEqual([{ client_id: 'next' }, []]);
  });

  it.each(['x', '', '6f1d2c1e-8a53-4f6b-9c1d-2f0a7be41c55', "6f1d2c1e-8a53-4f6b-9c1d-2f0a7be41c55'", '\0'])(
    'with the unknown position "%s" gets a reset',
    async (lastEventId) => {
      const { one, end } = await createFixture();
      await end('before');
      const reader = await aReader(one, { lastEventId });
      expect(await reader.next()).toMatchObject({ type: 'reset', reason: 'unknown_position' });
      expect(await reader.rest()).toEqual([]);
    },
  );

  it('gets a reset if its last change is no longer kept, and loses nothing if it is the last one', async () => {
    const { url, one, end } = await createFixture();
    await end('older');
    await end('newer');
    const [older, newer] = await (await aReader(one)).rest();
    const now = nowSeconds(systemClock);
    await one.cleanUp({ now, changeRetentionSeconds: 60 });
    expect(await countRows(url, 'change')).toBe(2);
    const { change } = await one.cleanUp({ now, changeRetentionSeconds: -60 });
    expect(change).toBe(1);
    const late = await aReader(one, { lastEventId: older?.id });
    expect(await late.next()).toMatchObject({ type: 'reset', reason: 'unknown_position', id: newer?.id });
    const current = await aReader(one, { lastEventId: newer?.id });
    expect(await current.rest()).toEqual([]);
  });

  it('gets a reset if its position comes from another server, whose rows are removed', async () => {
    const { url, one, end } = await createFixture();
    await end('here');
    const [row] = await query<{ id: string }>(
      url,
      `INSERT INTO change (transaction, "type", reason, members)
        SELECT max(transaction) + 1000000, 'client.ended', 'deleted', '{}' FROM change RETURNING event_id AS id`,
    );
    const reader = await aReader(one, { lastEventId: row?.id });
    expect(await reader.next()).toMatchObject({ type: 'reset', reason: 'unknown_position' });
    const { change } = await one.cleanUp({ now: nowSeconds(systemClock) });
    expect(change).toBe(1);
    await end('next');
    expect((await reader.next()).members).toEqual({ client_id: 'next' });
  });

  it('goes on after its connections were cut', async () => {
    const { url, other, end } = await createFixture();
    await end('before');
    const reader = await aReader(other);
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

  it('gets a reset if its last change is gone when it connects again', async () => {
    const { url, other, end } = await createFixture();
    await end('lost');
    await end('kept');
    const reader = await aReader(other);
    expect(await reader.rest()).toHaveLength(2);
    // As after a failover to a server that lacks the last transaction.
    await query(
      url,
      `DELETE FROM change WHERE members->>'client_id' = 'kept';
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    expect(await reader.next()).toMatchObject({ type: 'reset', reason: 'unknown_position' });
  });
});

it('is cleaned up with the other tables', () => {
  expect(CLEAN_UP_TABLES).toContain('change');
});
