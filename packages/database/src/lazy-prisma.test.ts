import type { WrappedDataKey } from '@vestibule/crypto/data-keys';
import type { Tracer } from '@vestibule/protocol';
import { describe, expect, it, vi } from 'vitest';
import type { AuditRecord } from './audit/read-events.js';
import type { Database } from './open-database.js';
import { opened } from './testing/fixtures.js';
import { aMigratedDatabase, holdingLock, query } from './testing/test-database.js';

const AT_MS = 1_780_000_000_123;

function aKey(deviations: Partial<WrappedDataKey> = {}): WrappedDataKey {
  return {
    id: 'one',
    purpose: 'seal',
    state: 'pending',
    wrapped: 'wrapped',
    keyEncryptionKeyId: 'kek',
    createdAtMs: AT_MS,
    ...deviations,
  };
}

const EVENT = `INSERT INTO audit_event (occurred_at, actor, action, target)
  VALUES ('2026-05-28 20:26:40.123Z', 'service', 'test', 'row')`;

const OUR_CONNECTIONS = `FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'vestibule'`;

async function allEvents(database: Database): Promise<readonly AuditRecord[]> {
  const events: AuditRecord[] = [];
  for await (const event of database.auditEvents()) events.push(event);
  return events;
}

/** A tracer that records the names of the spans. */
function aTracer(): { tracer: Tracer; names: string[] } {
  const names: string[] = [];
  const tracer: Tracer = {
    span: ({ name }, operate) => {
      names.push(name);
      return operate({ setAttributes: () => undefined, fail: () => undefined });
    },
    traceparent: () => undefined,
  };
  return { tracer, names };
}

describe('Prisma Client', () => {
  it('stores and reads exact times, whatever the time zone of the database is', async () => {
    const url = await aMigratedDatabase();
    const name = new URL(url).pathname.slice(1);
    await query(url, `ALTER DATABASE "${name}" SET timezone = 'Asia/Kolkata'`);
    try {
      const database = opened({ url });
      await database.dataKeys.insert(aKey());
      expect(await database.dataKeys.list()).toStrictEqual([aKey()]);
      await query(url, EVENT);
      const [event] = await allEvents(database);
      expect(event?.occurredAt).toBe('2026-05-28T20:26:40.123Z');
    } finally {
      await query(url, `ALTER DATABASE "${name}" RESET timezone`);
    }
  });

  it('fails with the errors of the database, which are counted, and keeps the connection', async () => {
    const url = await aMigratedDatabase();
    const database = opened({ url });
    await database.dataKeys.insert(aKey());
    const before = await query(url, `SELECT pid ${OUR_CONNECTIONS}`);
    await expect(database.dataKeys.insert(aKey())).rejects.toMatchObject({
      code: '23505',
      constraint: 'data_key_pkey',
    });
    expect(database.counters.failures.refused).toBe(1);
    expect(await query(url, `SELECT pid ${OUR_CONNECTIONS}`)).toEqual(before);
  });

  it('applies the timeouts of all statements, also in transactions, and waits in order for a connection', async () => {
    const url = await aMigratedDatabase();
    await opened({ url }).dataKeys.insert(aKey());
    const database = opened({ url, poolSize: 1, statementTimeoutMs: 300 });
    await holdingLock(url, 'LOCK data_key, audit_event', async () => {
      await expect(database.dataKeys.update(aKey())).rejects.toMatchObject({ code: '57014' });
      const waiting = [1, 2, 3, 4, 5].map(() => allEvents(database).catch((error: unknown) => String(error)));
      expect(await Promise.all(waiting)).toContainEqual(expect.stringMatching(/all connections .* busy/));
    });
    await vi.waitFor(() => database.dataKeys.update(aKey({ wrapped: 'again' })), 60_000);
    expect(await vi.waitFor(() => database.dataKeys.list(), 60_000)).toEqual([aKey({ wrapped: 'again' })]);
    expect(database.connections()).toEqual({ busy: 0, idle: 1, waiting: 0 });
  });

  it('reads without an error when idle and busy connections break', async () => {
    const url = await aMigratedDatabase();
    const database = opened({ url, onConnectionError: () => undefined });
    await query(url, EVENT);
    for (let round = 0; round < 5; round += 1) {
      const reads = Array.from({ length: 10 }, () => allEvents(database));
      await Promise.all([query(url, `SELECT pg_terminate_backend(pid) ${OUR_CONNECTIONS}`), ...reads]);
      await query(url, `SELECT pg_terminate_backend(pid) ${OUR_CONNECTIONS}`);
      expect(await allEvents(database)).toHaveLength(1);
    }
  });

  it('names its spans after the operation and the table', async () => {
    const { tracer, names } = aTracer();
    const database = opened({ url: await aMigratedDatabase(), tracer });
    await allEvents(database);
    await database.dataKeys.insert(aKey());
    expect(names).toEqual([
      'db prisma-select-audit_event',
      'db prisma-begin',
      'db prisma-update-data_key',
      'db prisma-insert-data_key',
      'db prisma-commit',
    ]);
  });
});
