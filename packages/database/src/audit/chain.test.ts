import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../open-database.js';
import { aClient, anId, twoProcesses } from '../testing/fixtures.js';
import { query } from '../testing/test-database.js';

let url: string;
let one: Database;
let other: Database;

async function record(database: Database, count: number, prefix = 'c'): Promise<void> {
  for (let index = 1; index <= count; index += 1)
    await database.clients.create(aClient({ id: anId(`${prefix}${index}`) }));
}

/** Changes audit events, as only the owner of the table can. */
async function tamper(statement: string): Promise<void> {
  await query(
    url,
    `ALTER TABLE audit_event DISABLE TRIGGER ALL; ${statement}; ALTER TABLE audit_event ENABLE TRIGGER ALL`,
  );
}

beforeEach(async () => {
  ({ url, one, other } = await twoProcesses());
});

it('chains every event once, in order, in several batches', async () => {
  await record(one, 2);
  await query(
    url,
    `INSERT INTO audit_event (occurred_at, actor, action, target)
    SELECT now(), 'service', 'test', 'row:' || n FROM generate_series(1, 1200) n`,
  );
  const { count, head } = await one.chainAuditEvents();
  expect({ count, position: head?.position }).toEqual({ count: 1202, position: 1202n });
  expect(await one.chainAuditEvents()).toEqual({ count: 0 });
  expect(await other.verifyAuditChain()).toEqual({ intact: true, count: 1202, head });
});

it('continues where it ended, whatever was committed in between', async () => {
  const ends = [];
  for (const prefix of ['a', 'b', 'c']) {
    await record(one, 3, prefix);
    ends.push((await one.chainAuditEvents()).head);
  }
  expect(ends.map((head) => head?.position)).toEqual([3n, 6n, 9n]);
  for (const head of ends) expect(await one.verifyAuditChain({ head })).toMatchObject({ intact: true });
  expect(await one.verifyAuditChain({ from: 4n, to: 6n })).toEqual({ intact: true, count: 3, head: ends[1] });
});

it('has a valid chain without events', async () => {
  expect(await one.verifyAuditChain()).toEqual({ intact: true, count: 0 });
});

// Two parallel processes would give one position to two events.
it('lets one process chain at a time, while writers continue', async () => {
  const writing = Promise.all([record(one, 40, 'x'), record(other, 40, 'y')]);
  let runs = 0;
  let done = false;
  void writing.then(() => {
    done = true;
  });
  while (!done) {
    await Promise.all([one.chainAuditEvents(), other.chainAuditEvents(), one.chainAuditEvents()]);
    runs += 1;
  }
  await writing;
  await one.chainAuditEvents();
  expect(runs).toBeGreaterThan(0);
  expect(await one.verifyAuditChain()).toMatchObject({ intact: true, count: 80 });
});

describe('once events are chained', () => {
  beforeEach(async () => {
    await record(one, 6);
    await one.chainAuditEvents();
  });

  it.each([
    ['a changed actor', `UPDATE audit_event SET actor = 'master' WHERE position = 3`],
    [
      'a changed time',
      `UPDATE audit_event SET occurred_at = occurred_at + interval '1 ms' WHERE position = 3`,
    ],
    ['a changed state', `UPDATE audit_event SET after_digest = sha256('x') WHERE position = 3`],
    ['a state that was taken away', `UPDATE audit_event SET after_digest = NULL WHERE position = 3`],
    ['added details', `UPDATE audit_event SET details = '{}' WHERE position = 3`],
    ['a hash that was taken away', `UPDATE audit_event SET hash = NULL WHERE position = 3`],
    [
      "two events in each other's place",
      `UPDATE audit_event SET position = 103 WHERE position = 3;
       UPDATE audit_event SET position = 3 WHERE position = 5;
       UPDATE audit_event SET position = 5 WHERE position = 103`,
    ],
    [
      "contents in each other's place",
      `UPDATE audit_event a SET target = b.target, after_digest = b.after_digest, actor = b.actor
       FROM audit_event b WHERE (a.position, b.position) IN ((3, 4), (4, 3))`,
    ],
  ])('finds %s', async (_what, statement) => {
    await tamper(statement);
    expect(await one.verifyAuditChain()).toEqual({ intact: false, position: 3n, reason: 'changed' });
    expect(await one.verifyAuditChain({ to: 2n })).toMatchObject({ intact: true, count: 2 });
  });

  it('detects a removed event, even the first one', async () => {
    for (const position of [4n, 1n]) {
      await tamper(`DELETE FROM audit_event WHERE position = ${position}`);
      expect(await one.verifyAuditChain()).toEqual({ intact: false, position, reason: 'missing' });
    }
  });

  it('detects removed events at the end by a stored end, or by the requested positions', async () => {
    const intact = await one.verifyAuditChain();
    const head = intact.intact ? intact.head : undefined;
    await tamper('DELETE FROM audit_event WHERE position = 6');
    expect(await one.verifyAuditChain()).toMatchObject({ intact: true, count: 5 });
    const missing = { intact: false, position: 6n, reason: 'missing' };
    expect(await one.verifyAuditChain({ head })).toEqual(missing);
    expect(await one.verifyAuditChain({ to: 6n })).toEqual(missing);
  });

  it('detects a chain that was recalculated over changed events by a stored end', async () => {
    const intact = await one.verifyAuditChain();
    const head = intact.intact ? intact.head : undefined;
    await tamper(`UPDATE audit_event SET actor = 'master', position = NULL, hash = NULL`);
    await one.chainAuditEvents();
    expect(await one.verifyAuditChain()).toMatchObject({ intact: true });
    expect(await one.verifyAuditChain({ head })).toMatchObject({
      intact: false,
      position: 6n,
    });
  });

  it('rejects every statement that would change them', async () => {
    for (const statement of [
      `UPDATE audit_event SET actor = 'x' WHERE position = 3`,
      `UPDATE audit_event SET position = NULL, hash = NULL`,
      `UPDATE audit_event SET hash = sha256('x') WHERE position = 3`,
      'DELETE FROM audit_event WHERE position = 3',
      'DELETE FROM audit_event',
      'TRUNCATE audit_event',
    ])
      await expect(query(url, statement), statement).rejects.toMatchObject({ code: '42501' });
    await record(one, 1, 'later');
    await expect(query(url, `UPDATE audit_event SET actor = 'x' WHERE position IS NULL`)).rejects.toThrow();
    await expect(query(url, 'DELETE FROM audit_event WHERE position IS NULL')).rejects.toThrow();
    expect(await one.verifyAuditChain()).toMatchObject({ intact: true, count: 6 });
  });
});
