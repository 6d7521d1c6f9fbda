import { describe, expect, it } from 'vitest';
import type { Database } from '../open-database.js';
import { twoProcesses } from '../testing/fixtures.js';
import { query } from '../testing/test-database.js';
import { type AuditFilter, type AuditListing, SEARCHED_EVENTS } from './listed-events.js';

const NOON_MS = Date.UTC(2026, 5, 1, 12);

/** A database with events at the given seconds after noon. */
async function recorded(
  events: readonly (readonly [second: number, actor: string, action: string, target: string])[],
) {
  const { url, one } = await twoProcesses();
  for (const [second, ...texts] of events)
    await query(
      url,
      'INSERT INTO audit_event (occurred_at, actor, action, target) VALUES (to_timestamp($1), $2, $3, $4)',
      [NOON_MS / 1_000 + second, ...texts],
    );
  return { url, database: one };
}

/** Reads all pages, and returns the seconds after noon and the sizes of the pages. */
async function readAll(
  { listedEvents }: Database,
  filter: AuditFilter,
  direction: AuditListing['direction'],
  limit = 2,
) {
  const seconds: number[] = [];
  const sizes: number[] = [];
  let start: AuditListing['start'];
  do {
    const { events, end } = await listedEvents.list({ filter, direction, start, limit });
    seconds.push(...events.map(({ occurredAt }) => (Date.parse(occurredAt) - NOON_MS) / 1_000));
    sizes.push(events.length);
    start = end;
  } while (start !== undefined);
  return { seconds, sizes };
}

const EVENTS = [
  [3, 'master', 'client.updated', 'client:a'],
  [1, 'operator:jane', 'client.registered', 'client:a'],
  [2, 'master', 'client.registered', 'client:b'],
  [2, 'operator:jane', 'client.deleted', 'client:b'],
  [5.25, 'master', 'client.deleted', 'client:a'],
] as const;

describe('the list of audit events', () => {
  it('goes back and forward in time over pages, also between events of the same time', async () => {
    const { database } = await recorded(EVENTS);
    expect((await readAll(database, {}, 'older')).seconds).toEqual([5.25, 3, 2, 2, 1]);
    expect((await readAll(database, {}, 'newer')).seconds).toEqual([1, 2, 2, 3, 5.25]);
    expect((await readAll(database, {}, 'older', 1)).seconds).toEqual([5.25, 3, 2, 2, 1]);
  });

  it.each<readonly [AuditFilter, readonly number[]]>([
    [{ actor: 'master' }, [5.25, 3, 2]],
    [{ action: 'client.deleted' }, [5.25, 2]],
    [{ target: 'client:a' }, [5.25, 3, 1]],
    [{ actor: 'master', action: 'client.deleted' }, [5.25]],
    [{ actor: 'operator:jane', target: 'client:b' }, [2]],
    [{ actor: 'operator:jane', action: 'client.deleted', target: 'client:a' }, []],
    [{ fromMs: NOON_MS + 2_000, untilMs: NOON_MS + 5_250 }, [3, 2, 2]],
    [{ actor: 'master', fromMs: NOON_MS + 5_250 }, [5.25]],
    [{ actor: 'nobody' }, []],
  ])('selects events by %o in both directions', async (filter, seconds) => {
    const { database } = await recorded(EVENTS);
    expect((await readAll(database, filter, 'older')).seconds).toEqual(seconds);
    expect((await readAll(database, filter, 'newer')).seconds).toEqual(seconds.toReversed());
  });

  it('returns the whole event, and finds it by its identifier', async () => {
    const { url, database } = await recorded([]);
    await query(
      url,
      `INSERT INTO audit_event (occurred_at, actor, action, target, before_digest, after_digest, details)
       VALUES (to_timestamp($1), 'a', 'b', 'c', sha256('1'), sha256('2'), '{"label":"x"}')`,
      [NOON_MS / 1_000],
    );
    await database.chainAuditEvents();
    const { events } = await database.listedEvents.list({ filter: {}, direction: 'older', limit: 10 });
    const whole = [];
    for await (const event of database.auditEvents()) whole.push(event);
    expect(events).toEqual(whole);
    expect(await database.listedEvents.find(events[0]?.id ?? '')).toEqual(whole[0]);
    expect(await database.listedEvents.find('9999')).toBeUndefined();
  });

  it('searches a bounded number of events for a page, and goes on where it ended', async () => {
    const { url, database } = await recorded([[-1, 'master', 'rare', 'x']]);
    await query(
      url,
      `INSERT INTO audit_event (occurred_at, actor, action, target)
       SELECT to_timestamp($1 + n), 'master', 'usual', 'x' FROM generate_series(0, $2::integer) n`,
      [NOON_MS / 1_000, SEARCHED_EVENTS],
    );
    const filter = { actor: 'master', action: 'rare' };
    const first = await database.listedEvents.list({ filter, direction: 'older', limit: 2 });
    expect(first).toEqual({ events: [], end: { occurredAtMs: NOON_MS + 1_000, id: expect.any(String) } });
    expect(await readAll(database, filter, 'older')).toEqual({ seconds: [-1], sizes: [0, 1] });
    expect(await readAll(database, { action: 'rare' }, 'older')).toEqual({ seconds: [-1], sizes: [1] });
  });
});

it('reads the end of the chain', async () => {
  const { database } = await recorded(EVENTS);
  expect(await database.auditChainHead()).toBeUndefined();
  const { head } = await database.chainAuditEvents();
  expect(await database.auditChainHead()).toEqual(head);
});
