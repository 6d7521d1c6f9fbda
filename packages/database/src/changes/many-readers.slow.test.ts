import { nowSeconds, systemClock } from '@vestibule/protocol';
import { LIST_SIZE } from '@vestibule/tokens/changes';
import { describe, expect, it } from 'vitest';
import { aFollower, aReader, everyChange, recorded } from '../testing/changes.js';
import { aClient, anId, twoProcesses } from '../testing/fixtures.js';
import { query } from '../testing/test-database.js';

/** A process whose reads of the log are counted, and can fail. */
async function aProcess() {
  const { url, one } = await twoProcesses();
  const start = await recorded(one);
  const counts = { shared: 0, own: 0, ownNow: 0, mostAtATime: 0, open: 0 };
  const fault: { error?: Error } = {};
  const { changes } = one;
  const page: typeof changes.page = async (after, limit) => {
    const isOwn = limit === LIST_SIZE;
    counts[isOwn ? 'own' : 'shared'] += 1;
    if (isOwn) counts.ownNow += 1;
    counts.mostAtATime = Math.max(counts.mostAtATime, counts.ownNow);
    try {
      if (fault.error !== undefined) throw fault.error;
      return await changes.page(after, limit);
    } finally {
      if (isOwn) counts.ownNow -= 1;
    }
  };
  const openNotices: typeof one.openChangeNotices = (options) => {
    counts.open += 1;
    const notices = one.openChangeNotices(options);
    return {
      close: () => {
        counts.open -= 1;
        notices.close();
      },
    };
  };
  const follow = aFollower({ changes: { ...changes, page }, openChangeNotices: openNotices });
  const end = async (id: string) => {
    await one.clients.create(aClient({ id: anId(id) }));
    await one.clients.delete(anId(id), nowSeconds(systemClock));
  };
  const write = (count: number, characters: number) =>
    query(
      url,
      `INSERT INTO change ("type", reason, members)
        SELECT 'client.ended', 'deleted', jsonb_build_object('client_id', n || repeat('x', $2)) FROM generate_series(1, $1) n`,
      [count, characters],
    );
  return { one, start, follow, counts, fault, end, write };
}

describe('many readers in one process', () => {
  it('share what is read, and changes that come together are read together', async () => {
    const { one, follow, counts, end } = await aProcess();
    const readers = Array.from({ length: 20 }, () => aReader(one, {}, follow));
    for (const reader of readers) await reader.next();
    counts.shared = 0;
    const ids = Array.from({ length: 100 }, (_, index) => `client-${index}`);
    const startedAtMs = performance.now();
    await Promise.all(ids.map(end));
    const rests = await Promise.all(readers.map((reader) => reader.rest()));
    const elapsedMs = performance.now() - startedAtMs;
    for (const rest of rests) expect(rest).toEqual(rests[0]);
    expect(rests[0]?.map(({ members }) => members['client_id']).sort()).toEqual(ids.sort());
    expect(counts.own).toBe(0);
    expect(counts.shared).toBeLessThanOrEqual(elapsedMs / 50 + 1);
  });

  it('that are behind read for themselves, two at a time, until they have caught up', async () => {
    const { one, start, follow, counts, end, write } = await aProcess();
    await write(1_000, 10);
    const all = await everyChange(one);
    // One is up to date, so that what is shared begins at the end.
    await aReader(one, {}, follow).next();
    const readers = Array.from({ length: 10 }, () => aReader(one, start, follow));
    const rests = await Promise.all(readers.map((reader) => reader.rest()));
    for (const rest of rests) expect(rest).toEqual(all.slice(1));
    expect(counts.mostAtATime).toBe(2);
    counts.own = 0;
    await end('next');
    for (const reader of readers) expect((await reader.next()).members).toEqual({ client_id: 'next' });
    expect(counts.own).toBe(0);
  });

  it('lose nothing when they fall behind what is remembered', async () => {
    const { one, start, follow, counts, write } = await aProcess();
    const [slow, fast] = [aReader(one, start, follow), aReader(one, {}, follow)];
    await fast.next();
    await write(6_000, 1_000);
    expect(await fast.rest()).toHaveLength(6_000);
    counts.own = 0;
    const rest = await slow.rest();
    expect(rest).toEqual((await everyChange(one)).slice(1));
    expect(counts.own).toBeGreaterThan(0);
    expect(counts.own).toBeLessThan(40);
  });

  it('get no heartbeat while the log cannot be read, and go on afterwards', async () => {
    const { one, start, follow, fault, counts, end } = await aProcess();
    const reader = aReader(one, start, follow);
    expect(await reader.available()).toEqual([]);
    fault.error = new Error('the database is away');
    counts.shared = 0;
    const next = reader.next();
    // A read that began before the fault may still tell that all is current.
    await expect.poll(() => counts.shared).toBeGreaterThan(0);
    let beats = 0;
    const other = follow(start, new AbortController().signal);
    const beat = other.next().then(() => {
      beats += 1;
    });
    // By then a heartbeat would be due.
    await expect.poll(() => counts.shared, { timeout: 30_000 }).toBeGreaterThan(3);
    expect(beats).toBe(0);
    delete fault.error;
    await beat;
    await end('next');
    expect((await next).members).toEqual({ client_id: 'next' });
    await other.return();
  });

  it('stop reading and listening when the last one leaves, and begin again', async () => {
    const { one, start, follow, counts, end } = await aProcess();
    const readers = [aReader(one, start, follow), aReader(one, start, follow)];
    for (const reader of readers) await reader.available();
    expect(counts.open).toBe(1);
    readers[0]?.stop();
    expect(counts.open).toBe(1);
    readers[1]?.stop();
    expect(counts.open).toBe(0);
    await end('between');
    const again = aReader(one, start, follow);
    expect((await again.next()).members).toEqual({ client_id: 'between' });
    expect(counts.open).toBe(1);
  });
});
