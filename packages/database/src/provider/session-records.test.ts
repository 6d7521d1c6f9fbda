import type { Client } from '@vestibule/clients';
import { expect, it } from 'vitest';
import { aClient, aDigest, after, anId, NOW, twoProcesses } from '../testing/fixtures.js';
import { query } from '../testing/test-database.js';

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
  const opened = (subject: string) => ({
    id: 'chosen',
    subject,
    cookieDigest: aDigest(`cookie of ${subject}`),
    payload: {},
    expiresAt: after(600),
    clients: [{ clientId: anId('client-0'), sid: `sid of ${subject}` }],
  });
  const results = await Promise.all(
    CLIENTS.map(async (name, index) => ({
      name,
      isOpen: await (index % 2 === 0 ? here : there).open(opened(name), NOW),
    })),
  );
  const [winner, ...others] = results.filter(({ isOpen }) => isOpen).map(({ name }) => name);
  expect(others).toEqual([]);
  const stored = () =>
    query(url, 'SELECT subject, sid FROM session JOIN session_client ON session_id = session.id');
  expect(await stored()).toEqual([{ subject: winner, sid: `sid of ${winner}` }]);
  expect(await here.open(opened(winner ?? ''), NOW)).toBe(true);
  expect(await stored()).toHaveLength(1);
  expect(await here.open({ ...opened('bob'), id: `sid of ${winner}` }, NOW)).toBe(false);
  expect(await there.end('chosen', NOW)).toBe(true);
  expect(await here.open(opened(winner ?? ''), NOW)).toBe(false);
  expect(await stored()).toEqual([]);
});
