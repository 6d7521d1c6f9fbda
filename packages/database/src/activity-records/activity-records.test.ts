import { epochSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { aClient, aDigest, after, anId, anInitialToken, NOW, twoProcesses } from '../testing/fixtures.js';
import { query } from '../testing/test-database.js';

/** Three steps of a minute; the last one begins now. */
const WINDOW = { startsAt: after(-120), stepSeconds: 60, steps: 3 };

async function aStore() {
  const { one, url } = await twoProcesses();
  /** Adds notifications in a state; times are seconds relative to now. */
  const deliver = (
    state: 'pending' | 'delivered' | 'dead',
    {
      created,
      finished,
      session,
    }: { readonly created: number; readonly finished?: number; readonly session?: string },
  ) =>
    query(
      url,
      `INSERT INTO logout_delivery (client_id, uri, state, session_id, next_attempt_at, created_at, finished_at)
       VALUES ('c', 'https://rp.example/out', $1, $2, now(), to_timestamp($3), to_timestamp($4))`,
      [state, session ?? null, NOW + created, finished === undefined ? null : NOW + finished],
    );
  return { activity: one.activity, database: one, url, deliver };
}

it('counts registrations in the steps of a window, of clients that still exist', async () => {
  const { activity, database } = await aStore();
  for (const [index, seconds] of [-121, -120, -61, -1, 0, 59, 60].entries())
    await database.clients.create(aClient({ id: anId(`c${index}`), issuedAt: after(seconds) }));
  expect((await activity.counts(WINDOW)).registered).toEqual([2, 1, 2]);
  await database.clients.delete(anId('c1'), NOW);
  expect((await activity.counts(WINDOW)).registered).toEqual([1, 1, 2]);
});

it('counts a session once, however many clients are notified and whatever became of it', async () => {
  const { activity, deliver } = await aStore();
  await deliver('pending', { created: -90, session: 's1' });
  await deliver('delivered', { created: -80, finished: -10, session: 's1' });
  await deliver('dead', { created: -30, finished: -5, session: 's2' });
  await deliver('pending', { created: 10 });
  await deliver('delivered', { created: 20, finished: 21 });
  await deliver('delivered', { created: -300, finished: -10, session: 'earlier' });
  expect((await activity.counts(WINDOW)).endedSessions).toEqual([1, 1, 2]);
});

it('counts finished notifications by outcome and time', async () => {
  const { activity, deliver } = await aStore();
  await deliver('delivered', { created: -300, finished: -119 });
  await deliver('delivered', { created: -300, finished: -130 });
  await deliver('dead', { created: -300, finished: -1 });
  await deliver('delivered', { created: -1, finished: 1 });
  await deliver('pending', { created: -1 });
  expect(await activity.counts(WINDOW)).toMatchObject({ delivered: [1, 0, 1], givenUp: [0, 1, 0] });
});

it('stops a count at a thousand', async () => {
  const { activity, deliver, url, database } = await aStore();
  await database.clients.create(aClient({ status: 'pending' }));
  await deliver('pending', { created: 0 });
  const dead = (count: number) =>
    query(
      url,
      `INSERT INTO logout_delivery (client_id, uri, state, next_attempt_at, created_at, finished_at)
       SELECT 'c', 'https://rp.example/out', 'dead', now(), now(), now() FROM generate_series(1, $1::int)`,
      [count],
    );
  await dead(1_000);
  await query(
    url,
    `INSERT INTO client_metadata_document (url, history, withdrawn_at)
     VALUES ('https://a.example', '[]', now()), ('https://b.example', '[]', NULL)`,
  );
  const waiting = {
    pendingClients: { count: 1, hasMore: false },
    waitingDeliveries: { count: 1, hasMore: false },
    deadDeliveries: { count: 1_000, hasMore: false },
    withdrawnDocuments: { count: 1, hasMore: false },
  };
  expect(await activity.waiting()).toEqual(waiting);
  await dead(500);
  expect(await activity.waiting()).toEqual({ ...waiting, deadDeliveries: { count: 1_000, hasMore: true } });
});

it('lists the initial access tokens with uses left that end in a span of time', async () => {
  const { activity, database } = await aStore();
  const tokens = [
    { label: 'later', expiresAt: after(200) },
    { label: 'soon', expiresAt: after(100) },
    { label: 'used up', expiresAt: after(100), usesLeft: 0 },
    { label: 'over', expiresAt: NOW },
    { expiresAt: after(300) },
    { label: 'far', expiresAt: after(301) },
  ];
  for (const [index, token] of tokens.entries())
    await database.initialAccessTokens.insert(anInitialToken({ digest: aDigest(`t${index}`), ...token }));
  const span = { from: NOW, to: after(300) };
  expect(await activity.endingTokens(span, 9)).toStrictEqual([
    { label: 'soon', expiresAt: after(100), usesLeft: 1 },
    { label: 'later', expiresAt: after(200), usesLeft: 1 },
    { expiresAt: epochSeconds(NOW + 300), usesLeft: 1 },
  ]);
  expect(await activity.endingTokens(span, 1)).toHaveLength(1);
});
