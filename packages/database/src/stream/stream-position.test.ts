import type { Invalidation, StreamPosition } from '@vestibule/tokens/cache';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { twoProcesses } from '../testing/fixtures.js';
import { heldTransaction, statementsOf } from '../testing/held-transaction.js';
import { query } from '../testing/test-database.js';
import { beginLog } from './invalidation-events.js';

/** Polls and checks that only the test requests. */
const ON_REQUEST = { pollMs: 600_000, checkMs: 600_000 };

/** Timeout for what other transactions of the server may delay, in milliseconds. */
const EVENTUALLY = 60_000;

const TOKENS = `INSERT INTO client (id, metadata, rights, issued_at, updated_at) VALUES ('c', '{}', '', now(), now());
  INSERT INTO access_token (digest, client_id, scope, audience, issuer, issued_at, expires_at)
    SELECT sha256(n::text::bytea), 'c', '', '{}', '', now(), now() + interval '1 hour' FROM generate_series(1, 9) n`;

/** A stream, with what it delivers and the position after each poll, on a database with tokens. */
async function aFollowedDatabase() {
  const processes = await twoProcesses();
  const { url, one } = processes;
  await query(url, TOKENS);
  const stream = one.openInvalidationStream({
    monotonic: () => performance.now(),
    onProblem: () => undefined,
    ...ON_REQUEST,
  });
  onTestFinished(stream.close);
  const events: Invalidation[] = [];
  const positions: StreamPosition[] = [];
  const lost: string[] = [];
  stream.subscribe({
    onStarted: () => undefined,
    onInvalidation: (invalidation) => events.push(invalidation),
    onAdvanced: (position) => positions.push(position),
    onLost: () => lost.push('lost'),
  });
  await vi.waitUntil(stream.catchUp, EVENTUALLY);
  const poll = async (): Promise<StreamPosition> => {
    const { length } = positions;
    // The position advances only with a check of the last second, which the time between two polls may exceed.
    await vi.waitUntil(async () => (await stream.catchUp()) && positions.length > length, EVENTUALLY);
    const position = stream.position();
    if (position === undefined) throw new Error('the stream has no position');
    expect(positions.at(-1)).toEqual(position);
    return position;
  };
  /** Deletes a token in a transaction that stays open, and returns the number of the transaction. */
  const deleting = async (token: number) => {
    const { run, commit } = await heldTransaction(url);
    const { rows } = await run<{ id: string }>(
      {
        name: '',
        text: `WITH gone AS (DELETE FROM access_token WHERE digest = sha256($1::text::bytea))
          SELECT pg_current_xact_id()::text AS id`,
        repeatable: false,
      },
      [token],
    );
    return { id: BigInt(rows[0]?.id ?? 0), commit };
  };
  const sql = (statement: string) => query(url, statement);
  return { ...processes, stream, events, lost, poll, deleting, sql };
}

const ids = (events: readonly Invalidation[]) => events.map(({ transactionId }) => transactionId);

describe('the position of an invalidation stream', () => {
  it('is not after a transaction that stays open over several polls, whose event comes once after its commit', async () => {
    const { events, poll, deleting, sql } = await aFollowedDatabase();
    const open = await deleting(1);
    for (const token of [2, 3, 4]) {
      await sql(`DELETE FROM access_token WHERE digest = sha256('${token}')`);
      expect((await poll()).transactionId).toBeLessThanOrEqual(open.id);
      expect(ids(events)).not.toContain(open.id);
    }
    expect(events).toHaveLength(3);
    await open.commit();
    await poll();
    expect(ids(events).slice(3)).toEqual([open.id]);
    // Transactions of other databases count too.
    await vi.waitFor(async () => expect((await poll()).transactionId).toBeGreaterThan(open.id), EVENTUALLY);
    expect(new Set(ids(events)).size).toBe(4);
  });

  it('covers transactions that commit in another order than they began in', async () => {
    const { events, poll, deleting } = await aFollowedDatabase();
    const [first, second, third] = [await deleting(1), await deleting(2), await deleting(3)];
    await poll();
    const delivered: (readonly bigint[])[] = [];
    for (const { commit } of [third, first, second]) {
      await commit();
      const before = events.length;
      const { transactionId } = await poll();
      delivered.push(ids(events.slice(before)));
      for (const { id } of [first, second, third]) if (id < transactionId) expect(ids(events)).toContain(id);
    }
    expect(delivered).toEqual([[third.id], [first.id], [second.id]]);
  });

  it('lets no event come twice while an open transaction holds it back', async () => {
    const { events, poll, deleting, sql } = await aFollowedDatabase();
    await deleting(1);
    await sql(`DO $$ BEGIN
      FOR n IN 1..25000 LOOP INSERT INTO invalidation_event (kind) VALUES ('entities'); COMMIT; END LOOP; END $$`);
    await poll();
    expect(new Set(ids(events)).size).toBe(25_000);
    await poll();
    expect(events).toHaveLength(25_000);
  });

  it('has another epoch, after an invalidation of everything, when the database has lost the log', async () => {
    const { events, lost, poll, sql, other, deleting } = await aFollowedDatabase();
    // Holds back both the position and the start of the new log.
    await deleting(1);
    const before = await poll();
    await sql('TRUNCATE invalidation_epoch');
    // Another process finds it first.
    await other.cleanUp({ now: 0 as never });
    const after = await poll();
    expect(after.epoch).not.toBe(before.epoch);
    expect(events).toEqual([{ kind: 'everything', transactionId: after.transactionId }]);
    expect([(await poll()).epoch, events.length, lost]).toEqual([after.epoch, 1, []]);
  });

  it('is kept when the log is emptied, which invalidates everything', async () => {
    const { events, poll, sql } = await aFollowedDatabase();
    const before = await poll();
    await sql('TRUNCATE invalidation_event');
    expect((await poll()).epoch).toBe(before.epoch);
    expect(events.map(({ kind }) => kind)).toEqual(['everything']);
  });

  it('follows an invalidation of everything when events after the last poll may have been deleted', async () => {
    const { events, poll, sql, one } = await aFollowedDatabase();
    const move = () => sql(`UPDATE invalidation_epoch SET moved_at = moved_at - interval '2 minutes'`);
    const cleanUp = () => one.cleanUp({ now: 0 as never });
    const kinds = () => events.map(({ kind }) => kind);
    await sql(`DELETE FROM access_token WHERE digest = sha256('1')`);
    await poll();
    expect((await cleanUp()).invalidation_event).toBe(0);
    await move();
    expect((await cleanUp()).invalidation_event).toBe(0);
    // What the last polls have seen is deleted, and what comes after it is kept.
    const cleaned = async () => {
      await poll();
      await move();
      return (await cleanUp()).invalidation_event;
    };
    await vi.waitFor(async () => expect(await cleaned()).toBe(1), EVENTUALLY);
    await poll();
    await sql(`DELETE FROM access_token WHERE digest = sha256('2')`);
    await move();
    expect((await cleanUp()).invalidation_event).toBe(0);
    await poll();
    expect(kinds()).toEqual(['tokens', 'tokens']);
    await sql(`DELETE FROM access_token WHERE digest = sha256('3')`);
    const forgotten = async () => {
      await move();
      return (await cleanUp()).invalidation_event;
    };
    let deleted = 0;
    await vi.waitFor(async () => {
      deleted += await forgotten();
      expect(deleted).toBe(2);
    }, EVENTUALLY);
    await poll();
    expect(kinds()).toEqual(['tokens', 'tokens', 'everything']);
    await poll();
    expect(events).toHaveLength(3);
  });

  it('has another epoch when the log comes from a dump of another server', async () => {
    const { url, sql, one } = await aFollowedDatabase();
    const epoch = () => sql('SELECT epoch FROM invalidation_epoch');
    const before = await epoch();
    const restored = one.openInvalidationStream({
      monotonic: () => performance.now(),
      onProblem: () => undefined,
    });
    onTestFinished(restored.close);
    await vi.waitUntil(restored.catchUp, EVENTUALLY);
    expect(await epoch()).toEqual(before);
    await sql(`UPDATE invalidation_epoch SET origin = 'another';
      INSERT INTO invalidation_event (transaction_id, kind) VALUES ('9000000000000000000', 'everything')`);
    await beginLog(await statementsOf(url));
    expect(await epoch()).not.toEqual(before);
    expect(await sql('SELECT FROM invalidation_event')).toEqual([]);
  });
});
