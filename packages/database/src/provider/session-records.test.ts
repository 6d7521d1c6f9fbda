import type { Client } from '@vestibule/clients';
import type { ProviderRecords } from '@vestibule/tokens/provider';
import { expect, it } from 'vitest';
import { accessTokenStore } from '../access-token-store.js';
import { cleanUp } from '../clean-up.js';
import { expiredSessions } from '../logout/expired-sessions.js';
import type { RunStatement } from '../statement.js';
import { aClient, aDigest, after, anAccessToken, anId, NOW, twoProcesses } from '../testing/fixtures.js';
import { heldTransaction, statementsOf, untilWaitingOrDone } from '../testing/held-transaction.js';
import { query } from '../testing/test-database.js';
import { sessionRecords } from './session-records.js';

const CLIENTS = Array.from({ length: 20 }, (_, index) => `client-${index}`);

/** Creates sessions without clients, and clients with back-channel logout. */
async function world(sessions: Readonly<Record<string, string>>) {
  const processes = await twoProcesses();
  for (const id of CLIENTS) {
    const metadata = { backchannel_logout_uri: `https://${id}.example/out` } as unknown as Client['metadata'];
    await processes.one.clients.create(aClient({ id: anId(id), metadata }));
  }
  for (const [id, subject] of Object.entries(sessions))
    await processes.one.providerRecords.sessions.save(
      { id, subject, cookieDigest: aDigest(id), payload: {}, expiresAt: after(600), clients: [] },
      NOW,
    );
  return processes;
}

/** A session that the end-user opens under a chosen name, with one client. */
const openedBy = (subject: string) => ({
  id: 'chosen',
  subject,
  cookieDigest: aDigest(`cookie of ${subject}`),
  payload: {},
  expiresAt: after(600),
  clients: [{ clientId: anId('client-0'), sid: `sid of ${subject}` }],
});

const added = (clientId: string) => ({ clientId, subject: 'alice', sid: `sid of ${clientId}` });
const notified = async (url: string) =>
  (await query<{ sid: string }>(url, 'SELECT sid FROM logout_delivery')).map(({ sid }) => sid).toSorted();

it('notifies each client that was added to a session, however many are added while the session ends', async () => {
  const { url, one, other } = await world({ session: 'alice' });
  const [here, there] = [one.providerRecords.sessions, other.providerRecords.sessions];
  const entries = CLIENTS.map((id, index) =>
    (index % 2 === 0 ? here : there).addClient('session', added(id), NOW),
  );
  const [sids, hasEnded] = await Promise.all([Promise.all(entries), there.end('session', NOW)]);
  expect(hasEnded).toBe(true);
  expect(await notified(url)).toEqual(sids.filter((sid) => sid !== undefined).toSorted());
  expect(await here.addClient('session', added('client-0'), NOW)).toBeUndefined();
  expect(await query(url, 'SELECT FROM session_client')).toEqual([]);
});

it('gives a client one sid in a session, however many tokens it receives at once', async () => {
  const { url, one, other } = await world({ session: 'alice' });
  const entries = Array.from({ length: 20 }, (_, index) =>
    (index % 2 === 0 ? one : other).providerRecords.sessions.addClient(
      'session',
      { ...added('client-0'), sid: `sid-${index}` },
      NOW,
    ),
  );
  const sids = new Set(await Promise.all(entries));
  expect(sids.size).toBe(1);
  expect(await query(url, 'SELECT sid FROM session_client')).toEqual([{ sid: [...sids][0] }]);
});

it('ends every session of an end-user and no other, once even from two processes', async () => {
  const many = Array.from({ length: 250 }, (_, index) => [`session-${index}`, 'alice'] as const);
  const { url, one, other } = await world({ ...Object.fromEntries(many), bobs: 'bob' });
  const { sessions } = one.providerRecords;
  for (const [id] of many.slice(0, 3))
    await sessions.addClient(id, { ...added('client-0'), sid: `sid of ${id}` }, NOW);
  const ended = await Promise.all(
    [one, other].map((process) => process.providerRecords.sessions.endOfSubject('alice', NOW)),
  );
  expect(ended.reduce((sum, count) => sum + count)).toBe(250);
  expect(await query(url, 'SELECT id FROM session')).toEqual([{ id: 'bobs' }]);
  expect(await notified(url)).toEqual(['sid of session-0', 'sid of session-1', 'sid of session-2']);
  expect(await sessions.endOfSubject('alice', NOW)).toBe(0);
});

it('opens one of parallel sessions under an identifier, and the same one when it is repeated', async () => {
  const { url, one, other } = await world({});
  const [here, there] = [one.providerRecords.sessions, other.providerRecords.sessions];
  const results = await Promise.all(
    CLIENTS.map(async (name, index) => ({
      name,
      isOpen: await (index % 2 === 0 ? here : there).open(openedBy(name), NOW),
    })),
  );
  const [winner, ...others] = results.filter(({ isOpen }) => isOpen).map(({ name }) => name);
  expect(others).toEqual([]);
  const stored = () =>
    query(url, 'SELECT subject, sid FROM session JOIN session_client ON session_id = session.id');
  expect(await stored()).toEqual([{ subject: winner, sid: `sid of ${winner}` }]);
  expect(await here.open(openedBy(winner ?? ''), NOW)).toBe(true);
  expect(await stored()).toHaveLength(1);
  expect(await here.open({ ...openedBy('bob'), id: `sid of ${winner}` }, NOW)).toBe(false);
  expect(await there.end('chosen', NOW)).toBe(true);
  expect(await here.open(openedBy(winner ?? ''), NOW)).toBe(false);
  expect(await stored()).toEqual([]);
});

interface Ending {
  /** The name that the next session is to get. */
  readonly id: string;
  /** Ends a session of this name, in one transaction with its opening if it does not exist. */
  readonly end: (sessions: ProviderRecords['sessions']) => Promise<unknown>;
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  'a session': { id: 'session-0', end: (sessions) => sessions.end('session-0', NOW) },
  'a session that was just opened': {
    id: 'chosen',
    end: async (sessions) => {
      await sessions.open(openedBy('alice'), NOW);
      await sessions.end('chosen', NOW);
    },
  },
  'the part of a client in a session that was just opened': {
    id: 'sid of alice',
    end: async (sessions) => {
      await sessions.open(openedBy('alice'), NOW);
      await sessions.end('chosen', NOW);
    },
  },
};

it.each(Object.entries(ENDINGS))('opens no session with the name of %s that is ending', async (_, ending) => {
  const { url, one } = await world({ 'session-0': 'alice' });
  const held = await heldTransaction(url);
  await ending.end(sessionRecords(held.run));
  const { sessions } = one.providerRecords;
  const opened = await untilWaitingOrDone(url, () =>
    sessions.open({ ...openedBy('bob'), id: ending.id }, NOW),
  );
  await held.commit();
  expect(await opened.result).toBe(false);
  expect(await query(url, 'SELECT FROM session')).toHaveLength(ending.id === 'session-0' ? 0 : 1);
});

/** Every way to end all of many sessions, that have clients and that have none. */
const ENDS_OF_MANY: Readonly<Record<string, (run: RunStatement) => Promise<unknown>>> = {
  'of an end-user': (run) => sessionRecords(run).endOfSubject('alice', NOW),
  'that have expired': async (run) => {
    while ((await expiredSessions(run).endExpired(NOW)) > 0);
  },
  'that have expired without clients': (run) => cleanUp(run, { now: NOW }),
  'that have expired and were not ended for a day': (run) => cleanUp(run, { now: after(86_400) }),
};

it.each(Object.entries(ENDS_OF_MANY))('stores tokens of others while sessions end %s', async (_, end) => {
  const { url, one } = await world({});
  await query(
    url,
    `WITH added AS (
       INSERT INTO session (id, subject, cookie_digest, created_at, expires_at)
       SELECT kind || n, 'alice', sha256((kind || n)::bytea), to_timestamp(${NOW}), to_timestamp(${NOW})
       FROM unnest(ARRAY['with', 'without']) AS kind, generate_series(1, CASE kind WHEN 'with' THEN 100 ELSE 501 END) AS n
       RETURNING id
     ) INSERT INTO session_client (session_id, client_id, sid)
       SELECT added.id, client.id, client.id || ' in ' || added.id FROM added, client
       WHERE added.id NOT LIKE 'without%' AND client.id <= 'client-12'`,
  );
  expect(await query(url, 'SELECT FROM session_client')).toHaveLength(500);
  const held = await heldTransaction(url);
  await end(held.run);
  const token = anAccessToken({ clientId: anId('client-0'), subject: 'bob', sessionId: 'another' });
  const run = await statementsOf(url);
  const stored = await untilWaitingOrDone(url, () => accessTokenStore(run).insert(aDigest('t'), token));
  expect(stored.isWaiting).toBe(false);
  await stored.result;
  await held.commit();
  expect(await one.accessTokens.find([aDigest('t')])).toBeDefined();
});
