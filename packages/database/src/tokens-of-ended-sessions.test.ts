import { describe, expect, it } from 'vitest';
import { accessTokenStore } from './access-token-store.js';
import { logoutSessions } from './logout/logout-sessions.js';
import { accessTokenRecords } from './provider/access-token-records.js';
import { refreshTokenRecords } from './provider/refresh-token-records.js';
import { sessionRecords } from './provider/session-records.js';
import type { RunStatement } from './statement.js';
import {
  aClient,
  aDigest,
  after,
  anAccessToken,
  anId,
  aSession,
  NOW,
  twoProcesses,
} from './testing/fixtures.js';
import { heldTransaction, statementsOf, untilWaitingOrDone } from './testing/held-transaction.js';
import { countRows } from './testing/test-database.js';

/** The stores that add a token of `client` with a session, and whether the token is there afterwards. */
const ISSUERS: Readonly<Record<string, (run: RunStatement, sessionId: string) => Promise<unknown>>> = {
  'access token': (run, sessionId) =>
    accessTokenStore(run).insert(aDigest('t'), anAccessToken({ sessionId })),
  'access token of the provider': (run, sessionId) =>
    accessTokenRecords(run).save(aDigest('t'), anAccessToken({ sessionId }), {}),
  'access token of the provider that outlives its session': (run, sessionId) =>
    accessTokenRecords(run).save(aDigest('t'), anAccessToken({ sessionId }), {}, { outlivesSession: true }),
  'refresh token of the provider': (run, sessionId) =>
    refreshTokenRecords(run).save(aDigest('t'), { ...anAccessToken(), sessionId, payload: {} }),
};

const SESSION = { id: 'session', subject: 'alice' };

/** What ends a session, or the part of `client` in it, and a name by which a token names the session. */
const ENDS: readonly (readonly [string, string, (run: RunStatement) => Promise<unknown>])[] = [
  ['ends', 'session', (run) => sessionRecords(run).end('session', NOW)],
  ['ends', 'sid', (run) => sessionRecords(run).end('session', NOW)],
  ['is left', 'session', (run) => logoutSessions(run).leave(SESSION, anId('client'), NOW)],
  ['is left', 'sid', (run) => logoutSessions(run).leave(SESSION, anId('client'), NOW)],
];

describe.each(Object.entries(ISSUERS))('an %s whose session', (_, issue) => {
  async function withSession() {
    const world = await twoProcesses();
    await world.one.clients.create(aClient());
    await world.one.providerRecords.sessions.save(aSession(), NOW);
    const count = async () =>
      (await countRows(world.url, 'access_token')) + (await countRows(world.url, 'refresh_token'));
    return { ...world, count, run: await statementsOf(world.url) };
  }

  it.each(ENDS)('%s while it is issued is not stored (%s)', async (_end, name, end) => {
    const { url, count, run } = await withSession();
    const held = await heldTransaction(url);
    await end(held.run);
    const issued = await untilWaitingOrDone(url, () => issue(run, name));
    await held.commit();
    await issued.result;
    expect(await count()).toBe(0);
  });

  it.each(ENDS)('%s before the token is committed is deleted (%s)', async (_end, name, end) => {
    const { url, count, run } = await withSession();
    const held = await heldTransaction(url);
    await issue(held.run, name);
    const ended = await untilWaitingOrDone(url, () => end(run));
    await held.commit();
    await ended.result;
    expect(await count()).toBe(0);
  });

  it.each(['session', 'elsewhere'])('goes on after a revocation by its name is stored (%s)', async (name) => {
    const { one, count, run } = await withSession();
    await one.revocations.revokeSession(name, after(1));
    await issue(run, name);
    expect(await count()).toBe(1);
  });

  it('was left is stored once the client has entered it again', async () => {
    const { one, count, run } = await withSession();
    await logoutSessions(run).leave(SESSION, anId('client'), NOW);
    await one.providerRecords.sessions.save(
      aSession({ clients: [{ clientId: 'client', sid: 'next' }] }),
      NOW,
    );
    await issue(run, 'session');
    expect(await count()).toBe(1);
  });
});

// With `offline_access`: a logout revokes the access tokens of the time before it.
it('stores an access token that outlives its session after the second of the end, and no other', async () => {
  const { url, one } = await twoProcesses();
  await one.clients.create(aClient());
  await one.providerRecords.sessions.save(aSession(), NOW);
  await one.providerRecords.sessions.end('session', NOW);
  const save = (name: string, issuedAt: typeof NOW, outlivesSession: boolean) =>
    one.providerRecords.accessTokens.save(
      aDigest(name),
      anAccessToken({ issuedAt, sessionId: 'sid' }),
      {},
      { outlivesSession },
    );
  await save('in that second', NOW, true);
  await save('ends with it', after(1), false);
  expect(await countRows(url, 'access_token')).toBe(0);
  await save('later', after(1), true);
  expect(await one.accessTokens.find([aDigest('later')])).toBeDefined();
});
