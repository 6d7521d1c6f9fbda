import type { ClaimedDeliveries, DeliveryClaim, DeliveryResult } from '@vestibule/logout/delivery';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aClient, aDigest, after, anId, NOW, race, twoProcesses } from '../testing/fixtures.js';
import { query } from '../testing/test-database.js';

const CLAIM: DeliveryClaim = {
  limit: 100,
  leaseMs: 30_000,
  hosts: [],
  slotsOfHost: 4,
  targets: [],
  slotsOfTarget: 4,
};

/** Two processes on an outbox, and a way to add to it directly. */
async function anOutbox() {
  const processes = await twoProcesses();
  const { url, one, other } = processes;
  const sql = <Row>(statement: string, values: unknown[] = []) => query<Row>(url, statement, values);
  /** Adds notifications of a client at a host. */
  const queue = (host: string, client: string, count = 1) =>
    sql(
      `INSERT INTO logout_delivery (client_id, uri, subject, sid, next_attempt_at, created_at)
       SELECT $2, 'https://' || $1 || '/out?secret=1', 'alice', 'sid-' || n, now(), now() FROM generate_series(1, $3) n`,
      [host, client, count],
    );
  return { ...processes, outbox: one.logoutDeliveries, otherOutbox: other.logoutDeliveries, sql, queue };
}

const clientsOf = ({ deliveries }: ClaimedDeliveries) =>
  deliveries.map(({ clientId }) => clientId).toSorted();

const resultOf = (
  { deliveries: [delivery] }: ClaimedDeliveries,
  result: Partial<DeliveryResult>,
): DeliveryResult => ({
  id: delivery?.id ?? '',
  attempt: delivery?.attempt ?? 0,
  state: 'delivered',
  waitMs: 0,
  ...result,
});

describe('claiming', () => {
  it('returns a delivery once, with every value that its logout token needs', async () => {
    const { outbox, otherOutbox, queue } = await anOutbox();
    await queue('rp.example:8443', 'c');
    const { deliveries } = await outbox.claim(CLAIM);
    expect(deliveries).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        clientId: 'c',
        uri: 'https://rp.example:8443/out?secret=1',
        host: 'rp.example:8443',
        subject: 'alice',
        sid: 'sid-1',
        attempt: 1,
        ageMs: expect.any(Number),
      },
    ]);
    for (const each of [outbox, otherOutbox]) expect(await each.claim(CLAIM)).toEqual({ deliveries: [] });
  });

  it('distinguishes servers by host and port, independent of case, user name and scheme', async () => {
    const { outbox, sql } = await anOutbox();
    const origins = {
      'https://RP.Example/out': 'rp.example:443',
      'https://rp.example:443/out': 'rp.example:443',
      'https://rp.example:8443': 'rp.example:8443',
      'http://rp.example/out?a=:1': 'rp.example:80',
      'HTTP://rp.example:/out': 'rp.example:80',
      'https://user:1@rp.example:8443/out': 'rp.example:8443',
      'https://[::1]:8080/out': '[::1]:8080',
      'https://[::1]/out': '[::1]:443',
      'http://127.0.0.1:1#x': '127.0.0.1:1',
    };
    for (const [index, uri] of Object.keys(origins).entries())
      await sql(
        'INSERT INTO logout_delivery (client_id, uri, next_attempt_at, created_at) VALUES ($1, $2, now(), now())',
        [`c${index}`, uri],
      );
    const { deliveries } = await outbox.claim({ ...CLAIM, slotsOfHost: 9 });
    expect(Object.fromEntries(deliveries.map(({ uri, host }) => [uri, host]))).toEqual(origins);
  });

  it('returns a delivery to another process when its lease has ended, as the next attempt', async () => {
    const { outbox, otherOutbox, queue } = await anOutbox();
    await queue('rp.example', 'c');
    const first = await outbox.claim({ ...CLAIM, leaseMs: 1 });
    await vi.waitFor(
      async () => expect(await otherOutbox.claim(CLAIM)).not.toEqual({ deliveries: [] }),
      60_000,
    );
    await outbox.settle([resultOf(first, { state: 'dead', error: 'timeout' })]);
    expect(await outbox.list({ limit: 9 })).toMatchObject([{ state: 'pending', attempts: 2 }]);
    await outbox.settle([resultOf(first, { state: 'delivered', status: 200 })]);
    expect(await outbox.list({ limit: 9 })).toMatchObject([{ state: 'delivered', lastStatus: 200 }]);
  });

  it('claims no more deliveries at a host than it has free slots', async () => {
    const { outbox, queue } = await anOutbox();
    for (const host of ['full', 'half', 'new']) await queue(host, 'c', 50);
    const hosts = [
      { host: 'full:443', slots: 0 },
      { host: 'half:443', slots: 2 },
    ];
    const { deliveries } = await outbox.claim({ ...CLAIM, hosts, slotsOfHost: 1 });
    expect(deliveries.map(({ host }) => host).toSorted()).toEqual(['half:443', 'half:443', 'new:443']);
  });

  it('claims no more deliveries of a client at a host than it has free slots', async () => {
    const { outbox, queue } = await anOutbox();
    for (const client of ['paused', 'half', 'new']) await queue('shared', client, 50);
    await queue('other', 'paused', 50);
    const targets = [
      { host: 'shared:443', clientId: anId('paused'), slots: 0 },
      { host: 'shared:443', clientId: anId('half'), slots: 2 },
    ];
    const { deliveries } = await outbox.claim({ ...CLAIM, targets, slotsOfTarget: 1 });
    expect(deliveries.map(({ host, clientId }) => `${host} ${clientId}`).toSorted()).toEqual([
      'other:443 paused',
      'shared:443 half',
      'shared:443 half',
      'shared:443 new',
    ]);
  });

  it('claims the first delivery of every client before the second of any', async () => {
    const { outbox, queue } = await anOutbox();
    await queue('shared', 'busy', 2_000);
    for (const client of ['a', 'b', 'z']) await queue('shared', client);
    await queue('other', 'busy', 2_000);
    const shared = { ...CLAIM, hosts: [{ host: 'other:443', slots: 0 }] };
    expect(clientsOf(await outbox.claim(shared))).toEqual(['a', 'b', 'busy', 'z']);
    await queue('third', 'late');
    for (const limit of [2, 3]) {
      const hosts = [{ host: 'shared:443', slots: 0 }];
      const few = await outbox.claim({ ...CLAIM, hosts, limit });
      if (limit === 2) expect(clientsOf(few)).toEqual(['busy', 'late']);
      else expect(clientsOf(few)).toEqual(['busy', 'busy', 'busy']);
    }
  });

  it('claims a delivery of every client of a host with many pending deliveries', async () => {
    const { outbox, queue } = await anOutbox();
    for (let client = 0; client < 30; client += 1) await queue('shared', `c${client}`, 40);
    const served = new Set<string>();
    for (let round = 0; round < 200 && served.size < 30; round += 1)
      for (const client of clientsOf(await outbox.claim(CLAIM))) served.add(client);
    expect(served.size).toBe(30);
  });

  it('continues after the hosts of the previous claim, and starts again after the last one', async () => {
    const { outbox, sql } = await anOutbox();
    await sql(`INSERT INTO logout_delivery (client_id, uri, next_attempt_at, created_at)
      SELECT 'c', 'https://' || lpad(n::text, 5, '0') || '.example/', now(), now() FROM generate_series(1, 2500) n`);
    await sql(`UPDATE logout_delivery SET next_attempt_at = now() + interval '1 hour' WHERE host < '02400'`);
    const first = await outbox.claim(CLAIM);
    expect(first).toEqual({ deliveries: [], next: { host: '02000.example:443', clientId: 'c' } });
    const second = await outbox.claim({ ...CLAIM, ...(first.next && { from: first.next }) });
    expect([second.deliveries.length, second.next]).toEqual([100, undefined]);
  });

  it('returns each delivery to exactly one of many parallel claims', async () => {
    const { one, other, outbox, queue } = await anOutbox();
    for (let host = 0; host < 20; host += 1) await queue(`h${host}`, `c${host}`, 20);
    const claims = await race([one, other], 200, ({ logoutDeliveries }) =>
      logoutDeliveries.claim({ ...CLAIM, limit: 16 }),
    );
    const ids = claims.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    for (let more = 1; more > 0; ) {
      const { deliveries } = await outbox.claim({ ...CLAIM, slotsOfHost: 16, slotsOfTarget: 16 });
      ids.push(...deliveries.map(({ id }) => id));
      more = deliveries.length;
    }
    expect([ids.length, new Set(ids).size]).toEqual([400, 400]);
  });
});

describe('results', () => {
  it('are stored, and a delivery to be retried is due after its wait', async () => {
    const { outbox, queue } = await anOutbox();
    await queue('rp.example', 'c', 3);
    const { deliveries } = await outbox.claim(CLAIM);
    const [first, second, third] = deliveries.map((delivery) => ({ deliveries: [delivery] }));
    if (first === undefined || second === undefined || third === undefined) throw new Error('not claimed');
    await outbox.settle([
      resultOf(first, { state: 'dead', status: 410, error: 'status' }),
      resultOf(second, { state: 'pending', waitMs: 0, status: 503, error: 'status' }),
      resultOf(third, { state: 'pending', waitMs: 60_000, error: 'timeout' }),
    ]);
    const states = await outbox.list({ limit: 9 });
    expect(
      states.map(({ state, lastStatus, lastError }) => [state, lastStatus, lastError]).toSorted(),
    ).toEqual([
      ['dead', 410, 'status'],
      ['pending', undefined, 'timeout'],
      ['pending', 503, 'status'],
    ]);
    expect((await outbox.claim(CLAIM)).deliveries).toMatchObject([
      { id: second.deliveries[0]?.id, attempt: 2 },
    ]);
  });

  it('are deleted in batches once they are old, and never while they are pending', async () => {
    const { outbox, queue, sql } = await anOutbox();
    await queue('rp.example', 'c', 5);
    await sql(
      `UPDATE logout_delivery SET state = 'delivered', finished_at = to_timestamp($1) WHERE sid <> 'sid-1'`,
      [NOW],
    );
    await sql(`UPDATE logout_delivery SET finished_at = to_timestamp($1) WHERE sid = 'sid-2'`, [after(1)]);
    expect(await outbox.forgetFinished(NOW, 2)).toBe(2);
    expect(await outbox.forgetFinished(NOW, 2)).toBe(1);
    expect(await outbox.forgetFinished(NOW, 2)).toBe(0);
    expect(await outbox.list({ limit: 9 })).toHaveLength(2);
  });
});

describe('deliveries for operators', () => {
  it('lists the latest first, by state and client, in pages, without subjects and sessions', async () => {
    const { outbox, queue, sql } = await anOutbox();
    await queue('rp.example', 'a', 3);
    await queue('rp.example', 'b', 3);
    await sql(`UPDATE logout_delivery SET state = 'dead', finished_at = now() WHERE sid = 'sid-2'`);
    const all = await outbox.list({ limit: 100 });
    expect(all.map(({ clientId }) => clientId)).toEqual(['b', 'b', 'b', 'a', 'a', 'a']);
    expect(JSON.stringify(all)).not.toMatch(/alice|sid-/);
    const before = all[2]?.id ?? '';
    expect(await outbox.list({ limit: 2, before })).toEqual(all.slice(3, 5));
    expect(await outbox.list({ limit: 9, clientId: anId('a') })).toEqual(all.slice(3));
    expect(await outbox.list({ limit: 9, state: 'dead' })).toEqual([all[1], all[4]]);
    expect(await outbox.list({ limit: 9, state: 'dead', clientId: anId('b') })).toEqual([all[1]]);
  });

  it('queues finished deliveries again, and no others', async () => {
    const { outbox, queue } = await anOutbox();
    await queue('rp.example', 'a');
    const claimed = await outbox.claim(CLAIM);
    const id = claimed.deliveries[0]?.id ?? '';
    expect([await outbox.redeliver(id), await outbox.redeliver('4711')]).toEqual([
      'already_pending',
      'unknown',
    ]);
    for (const state of ['dead', 'delivered'] as const) {
      const [{ attempts = 0 } = {}] = await outbox.list({ limit: 1 });
      await outbox.settle([{ ...resultOf(claimed, { state }), attempt: attempts }]);
      expect(await outbox.redeliver(id)).toBe('queued');
      expect((await outbox.claim(CLAIM)).deliveries).toMatchObject([{ id, attempt: attempts + 1 }]);
    }
  });

  it('sends a delivery that was queued again to the current address of the client', async () => {
    const { one, outbox, queue } = await anOutbox();
    for (const client of ['moved', 'gone']) await queue('old.example', client);
    const metadata = { backchannel_logout_uri: 'https://New.example/out' };
    await one.clients.create(aClient({ id: anId('moved'), metadata: metadata as never }));
    const { deliveries } = await outbox.claim(CLAIM);
    await outbox.settle(deliveries.map(({ id, attempt }) => ({ id, attempt, state: 'dead', waitMs: 0 })));
    for (const { id } of deliveries) expect(await outbox.redeliver(id)).toBe('queued');
    const again = await outbox.claim(CLAIM);
    expect(again.deliveries.toSorted((a, b) => Number(a.id) - Number(b.id))).toMatchObject([
      { uri: 'https://New.example/out', host: 'new.example:443' },
      { uri: 'https://old.example/out?secret=1', host: 'old.example:443' },
    ]);
  });

  it('reports the number of pending deliveries and the age of the oldest', async () => {
    const { outbox, queue, sql } = await anOutbox();
    expect(await outbox.waiting()).toEqual({ pending: 0, dead: 0, oldestSeconds: 0 });
    await queue('rp.example', 'a', 3);
    await sql(`UPDATE logout_delivery SET created_at = now() - interval '100 seconds' WHERE sid = 'sid-1'`);
    await sql(`UPDATE logout_delivery SET state = 'dead' WHERE sid = 'sid-2'`);
    const { oldestSeconds, ...counts } = await outbox.waiting();
    expect(counts).toEqual({ pending: 2, dead: 1 });
    expect(oldestSeconds).toBeGreaterThanOrEqual(100);
  });
});

describe('invalidations', () => {
  it('arrive with the commit that adds or repeats a delivery, and at every start of the stream', async () => {
    const { url, one, outbox, queue } = await anOutbox();
    let heard = 0;
    const invalidations = one.openLogoutNotices({
      onWaiting: () => {
        heard += 1;
      },
      onProblem: () => undefined,
    });
    onTestFinished(invalidations.close);
    await vi.waitFor(() => expect(heard).toBe(1), 60_000);
    await queue('rp.example', 'a', 40);
    await vi.waitFor(() => expect(heard).toBe(2), 60_000);
    const claimed = await outbox.claim(CLAIM);
    await outbox.settle([resultOf(claimed, { state: 'dead' })]);
    await outbox.redeliver(claimed.deliveries[0]?.id ?? '');
    await vi.waitFor(() => expect(heard).toBe(3), 60_000);
    await query(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'vestibule logout'`,
    );
    await vi.waitFor(() => expect(heard).toBe(4), 60_000);
  });

  it('make a first attempt due at once, independent of the clock of the writer', async () => {
    const { outbox, sql } = await anOutbox();
    await sql(`INSERT INTO logout_delivery (client_id, uri, next_attempt_at, created_at)
      VALUES ('c', 'https://rp.example/', now() + interval '1 hour', now())`);
    expect((await outbox.claim(CLAIM)).deliveries).toHaveLength(1);
  });
});

describe('sessions that expire', () => {
  const SESSIONS = `
    INSERT INTO client (id, metadata, rights, issued_at, updated_at) VALUES
      ('public', '{"backchannel_logout_uri":"https://a.example/","subject_type":"public"}', '', now(), now()),
      ('pairwise', '{"backchannel_logout_uri":"https://b.example/","subject_type":"pairwise"}', '', now(), now()),
      ('silent', '{}', '', now(), now());
    INSERT INTO session (id, subject, cookie_digest, created_at, expires_at)
      SELECT 's' || n, 'alice', sha256(n::text::bytea), now(), to_timestamp(${NOW} + n / 101)
      FROM generate_series(1, 101) n;
    INSERT INTO session_client (session_id, client_id, sid)
      SELECT session.id, client.id, client.id || ' ' || session.id FROM session, client;
    INSERT INTO refresh_token (digest, client_id, subject, session_id, scope, issued_at, expires_at)
      SELECT sha256(n::text::bytea), 'public', 'alice', 's' || n, '', now(), now() FROM generate_series(1, 101) n`;

  it('end once in many processes, with their tokens, and notify each client that is registered for back-channel logout', async () => {
    const { one, other, outbox, sql } = await anOutbox();
    await sql(SESSIONS);
    const ended = await race([one, other], 60, ({ expiredSessions }) => expiredSessions.endExpired(NOW));
    expect(ended.reduce((sum, count) => sum + count, 0)).toBe(100);
    const rows = await sql<object>(
      `SELECT client_id, count(*)::int AS count, count(DISTINCT sid)::int AS sids, min(subject) AS subject,
         min(account_id) AS account_id FROM logout_delivery GROUP BY 1 ORDER BY 1`,
    );
    expect(rows).toEqual([
      { client_id: 'pairwise', count: 100, sids: 100, subject: null, account_id: 'alice' },
      { client_id: 'public', count: 100, sids: 100, subject: 'alice', account_id: null },
    ]);
    expect(await sql('SELECT id FROM session')).toEqual([{ id: 's101' }]);
    expect(await sql('SELECT session_id FROM refresh_token')).toEqual([{ session_id: 's101' }]);
    expect((await outbox.waiting()).pending).toBe(200);
  });

  it('are notified once, however many processes end the same session', async () => {
    const { one, other, sql } = await anOutbox();
    await sql(SESSIONS);
    const cookie = [aDigest('5')];
    await race([one, other], 40, async ({ providerRecords: { sessions }, expiredSessions }, index) => {
      if (index % 3 === 0) await sessions.end('s5', NOW);
      else if (index % 3 === 1) await sessions.destroyByCookie(cookie, NOW);
      else await expiredSessions.endExpired(NOW);
    });
    const deliveries = await sql(`SELECT FROM logout_delivery WHERE sid LIKE '% s5'`);
    expect(deliveries).toHaveLength(2);
  });
});

it('notifies no client that only received access tokens', async () => {
  const { one, outbox, sql } = await anOutbox();
  await sql(`
    INSERT INTO client (id, metadata, rights, issued_at, updated_at)
      SELECT id, '{"backchannel_logout_uri":"https://a.example/"}', '', now(), now()
      FROM unnest(ARRAY['login', 'access', 'similar', 'elsewhere']) id;
    INSERT INTO "authorization" (id, client_id, subject, payload, created_at) VALUES
      ('g1', 'login', 'alice', '{"openid":{"scope":"email openid"}}', now()),
      ('g2', 'access', 'alice', '{"resources":{"x":"read"}}', now()),
      ('g3', 'similar', 'alice', '{"openid":{"scope":"openids"}}', now());
    INSERT INTO session (id, subject, cookie_digest, payload, created_at, expires_at)
      VALUES ('s', 'alice', sha256('s'), '{"authorizations":{"login":{"grantId":"g1"},"access":{"grantId":"g2"},
        "similar":{"grantId":"g3"}}}', now(), now());
    INSERT INTO session_client (session_id, client_id, sid) SELECT 's', id, id FROM client`);
  expect(await one.providerRecords.sessions.end('s', NOW)).toBe(true);
  expect((await outbox.list({ limit: 9 })).map(({ clientId }) => clientId).toSorted()).toEqual([
    'elsewhere',
    'login',
  ]);
});
