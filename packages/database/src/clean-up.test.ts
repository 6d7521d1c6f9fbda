import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it } from 'vitest';
import { startCleanUp } from './clean-up-schedule.js';
import {
  aClient,
  aDigest,
  after,
  anAccessToken,
  anId,
  aSession,
  isRevoked,
  NOW,
  twoProcesses,
} from './testing/fixtures.js';
import { aRecord, withClient } from './testing/import-fixture.js';
import { countRows, holdingRows, query, queryInOwnSession } from './testing/test-database.js';

const TIMED_TABLES = [
  'access_token',
  'refresh_token',
  'imported_token',
  'authorization',
  'artifact',
  'replayed_assertion',
  'remembered_answer',
];

/** Each table has one row that has just expired, and one that expires a second later. */
const ROWS = `
  CREATE TEMPORARY TABLE row_end AS
    SELECT n, to_timestamp(${NOW} + n) AS at, to_timestamp(${NOW} - 60 + n) AS a_minute_ago FROM generate_series(0, 1) n;
  INSERT INTO client (id, metadata, rights, issued_at, updated_at) VALUES ('c', '{}', '', now(), now());
  INSERT INTO client (id, metadata, rights, issued_at, updated_at, expires_at)
    SELECT 'ends-' || n, '{}', '', now(), now(), at FROM row_end;
  INSERT INTO client_metadata_document (url, history, expires_at) SELECT n::text, '[]', at FROM row_end;
  INSERT INTO client_metadata_document (url, client_id, history) VALUES ('endless', 'c', '[]');
  INSERT INTO earlier_client_secret (client_id, digest, sealed, kept_until)
    SELECT 'c', sha256('x'), 'x', at FROM row_end;
  INSERT INTO initial_access_token (digest, scope, audience, issued_at, expires_at, uses_left)
    SELECT sha256(n::text::bytea), '', '{}', now(), at, 1 FROM row_end;
  INSERT INTO access_token (digest, client_id, scope, audience, issuer, issued_at, expires_at)
    SELECT sha256(n::text::bytea), 'c', '', '{}', '', now(), at FROM row_end;
  INSERT INTO refresh_token (digest, client_id, scope, issued_at, expires_at)
    SELECT sha256(n::text::bytea), 'c', '', now(), at FROM row_end;
  INSERT INTO imported_token (digest, facts, expires_at)
    SELECT sha256(n::text::bytea), sha256('x'), a_minute_ago FROM row_end;
  INSERT INTO "authorization" (id, client_id, subject, payload, created_at, expires_at)
    SELECT n::text, 'c', '', '{}', now(), at FROM row_end;
  INSERT INTO "authorization" (id, client_id, subject, payload, created_at) VALUES ('endless', 'c', '', '{}', now());
  INSERT INTO artifact (kind, digest, payload, expires_at) SELECT 'k', sha256(n::text::bytea), '{}', at FROM row_end;
  INSERT INTO replayed_assertion (digest, expires_at) SELECT sha256(n::text::bytea), a_minute_ago FROM row_end;
  INSERT INTO remembered_answer (digest, sealed, expires_at) SELECT sha256(n::text::bytea), 'x', at FROM row_end;
  INSERT INTO revoked_token (issuer, jti, revoked_at, expires_at) SELECT 'i', n::text, now(), a_minute_ago FROM row_end;
  INSERT INTO revocation_cutoff (kind, value, cutoff, expires_at) SELECT 'subject', n::text, now(), at FROM row_end;
  INSERT INTO signing_key (kid, key_set, use, algorithm, state, public_jwk, private_jwk_sealed, created_at, expires_at)
    SELECT n::text, 'provider', 'sig', 'ES256', 'retired', '{}', '', now(), at FROM row_end;
  INSERT INTO session (id, cookie_digest, created_at, expires_at)
    SELECT n::text, sha256(n::text::bytea), now(), at FROM row_end;
  INSERT INTO session (id, cookie_digest, created_at, expires_at)
    SELECT 'notified', sha256('notified'), now(), at FROM row_end WHERE n = 0;
  INSERT INTO session_client (session_id, client_id, sid) VALUES ('notified', 'c', 'sid');
`;

it('deletes expired rows from every table, and no row that expires a second later', async () => {
  const { url, one } = await twoProcesses();
  await queryInOwnSession(url, ROWS);
  const counts = await one.cleanUp({ now: NOW });
  expect(counts).toEqual({
    access_token: 1,
    refresh_token: 1,
    imported_token: 1,
    authorization: 1,
    artifact: 1,
    replayed_assertion: 1,
    initial_access_token: 1,
    remembered_answer: 1,
    earlier_client_secret: 1,
    revoked_token: 1,
    revocation_cutoff: 1,
    signing_key: 1,
    session: 1,
    client: 1,
    client_metadata_document: 1,
    change: 0,
    // The events of these rows, as far as no transaction of another database is older.
    invalidation_event: expect.any(Number),
  });
  for (const table of TIMED_TABLES.filter((name) => name !== 'authorization')) {
    expect(await countRows(url, table), table).toBe(1);
  }
  expect(Object.values(await one.cleanUp({ now: NOW })).every((count) => count === 0)).toBe(true);
});

it('keeps a session whose clients have not been notified for a day', async () => {
  const { url, one } = await twoProcesses();
  await queryInOwnSession(url, ROWS);
  const left = () => query<{ id: string }>(url, 'SELECT id FROM session ORDER BY id');
  await one.cleanUp({ now: after(86_399) });
  expect(await left()).toEqual([{ id: 'notified' }]);
  await one.cleanUp({ now: after(86_400) });
  expect(await left()).toEqual([]);
});

it.each([
  ['without clients, once it has expired', [], 0],
  ['whose clients have not been notified for a day', [{ clientId: 'client', sid: 'sid' }], 86_400],
])('ends a session %s, with its tokens, for good', async (_, clients, seconds) => {
  const { one, add } = await withClient();
  const { sessions } = one.providerRecords;
  await sessions.open(aSession({ clients, expiresAt: NOW }), NOW);
  const names = ['session', ...clients.map(({ sid }) => sid)];
  const imported = (at: string) =>
    names.map((sessionId) =>
      aRecord(`${at} ${sessionId}`, { token: anAccessToken({ sessionId, expiresAt: after(100_000) }) }),
    );
  const now = after(seconds);
  expect(await add(imported('before'), { now })).toEqual(names.map(() => 'stored'));
  expect((await one.cleanUp({ now })).session).toBe(1);
  for (const name of names) {
    expect(await one.accessTokens.find([aDigest(`before ${name}`)])).toBeUndefined();
    expect(await sessions.open(aSession({ id: name, subject: 'bob' }), now)).toBe(false);
  }
  expect(await add(imported('after'), { now })).toEqual(names.map(() => 'revoked'));
});

it('revokes the self-contained tokens of a client that has expired', async () => {
  const { one } = await twoProcesses();
  await one.clients.create(aClient({ expiresAt: NOW }));
  await one.cleanUp({ now: NOW });
  expect(await one.clients.find(anId('client'))).toBeUndefined();
  const token = { issuer: 'i', jti: 'j', clientId: anId('client'), earliestIssuedAt: NOW };
  expect(await isRevoked(one, token)).toBe(true);
});

it('deletes each row once, in batches, however many processes clean up', async () => {
  const { url, one, other } = await twoProcesses();
  await query(
    url,
    `INSERT INTO replayed_assertion (digest, expires_at)
     SELECT sha256(n::text::bytea), to_timestamp(${NOW} - 60) FROM generate_series(1, 5000) n`,
  );
  const runs = [one, other, one, other].map((database) => database.cleanUp({ now: NOW, batchSize: 100 }));
  const deleted = (await Promise.all(runs)).map((counts) => counts.replayed_assertion);
  expect(deleted.reduce((sum, count) => sum + count, 0)).toBe(5_000);
  expect(await countRows(url, 'replayed_assertion')).toBe(0);
});

it('skips locked rows without waiting', async () => {
  const { url, one } = await twoProcesses();
  for (const id of ['held', 'free']) await one.clients.create(aClient({ id: anId(id), expiresAt: NOW }));
  const counts = await holdingRows(url, `SELECT FROM client WHERE id = 'held'`, () =>
    one.cleanUp({ now: NOW }),
  );
  expect(counts.client).toBe(1);
  expect(await one.clients.find(anId('held'))).toBeDefined();
});

it('runs at intervals, reports errors and continues, and stops', async () => {
  const clock = frozenClock();
  const runs: number[] = [];
  const errors: unknown[] = [];
  const { done, reached } = countdown(3);
  const failure = new Error('the database is away');
  const running = startCleanUp({
    clock,
    intervalMs: 1,
    database: {
      cleanUp: async ({ now }) => {
        runs.push(now);
        throw failure;
      },
    },
    onError: (error) => {
      errors.push(error);
      done();
    },
  });
  await reached;
  await running.stop();
  const { length } = runs;
  expect(length).toBeGreaterThanOrEqual(3);
  expect(new Set(errors)).toEqual(new Set([failure]));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(runs).toHaveLength(length);
});

/** Returns a promise that resolves after a number of calls of `done`. */
function countdown(times: number): { done(): void; reached: Promise<void> } {
  let left = times;
  let resolveReached: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => {
    resolveReached = resolve;
  });
  return {
    reached,
    done: () => {
      left -= 1;
      if (left === 0) resolveReached();
    },
  };
}
