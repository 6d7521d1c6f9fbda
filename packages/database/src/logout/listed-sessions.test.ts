import type { Client } from '@vestibule/clients';
import type { SessionRecord } from '@vestibule/tokens/provider';
import { expect, it } from 'vitest';
import type { Database } from '../open-database.js';
import { aClient, aDigest, after, anId, NOW, twoProcesses } from '../testing/fixtures.js';

const METADATA = {
  a: { client_name: 'A', backchannel_logout_uri: 'https://a.example/back' },
  b: { frontchannel_logout_uri: 'https://b.example/front' },
  c: {},
};

async function withClients() {
  const { one } = await twoProcesses();
  for (const [id, metadata] of Object.entries(METADATA))
    await one.clients.create(aClient({ id: anId(id), metadata: metadata as unknown as Client['metadata'] }));
  return one;
}

function open(
  { providerRecords }: Database,
  id: string,
  opened: number,
  deviation: Partial<SessionRecord> = {},
): Promise<void> {
  const clients = ['a', 'b', 'c'].map((clientId) => ({ clientId, sid: `${id}-${clientId}` }));
  return providerRecords.sessions.save(
    {
      id,
      subject: 'alice',
      cookieDigest: aDigest(id),
      payload: {},
      expiresAt: after(600),
      clients,
      ...deviation,
    },
    after(opened),
  );
}

const member = (id: string, clientId: string, ways: object) => ({
  clientId,
  sid: `${id}-${clientId}`,
  receivedIdToken: true,
  hasBackChannel: false,
  hasFrontChannel: false,
  ...ways,
});

it('lists the sessions of an end-user, the latest first, with their clients and how they are notified', async () => {
  const one = await withClients();
  await open(one, 'first', 0, { authenticatedAt: after(-5) });
  await open(one, 'second', 1);
  await open(one, 'of bob', 2, { subject: 'bob' });
  const listing = { subject: 'alice', limit: 10, clients: 10 };
  const sessions = await one.listedSessions.ofSubject(listing);
  expect(sessions.map(({ id }) => id)).toEqual(['second', 'first']);
  expect(sessions[1]).toEqual({
    id: 'first',
    subject: 'alice',
    createdAt: NOW,
    authenticatedAt: after(-5),
    expiresAt: after(600),
    clients: [
      member('first', 'a', { name: 'A', hasBackChannel: true }),
      member('first', 'b', { hasFrontChannel: true }),
      member('first', 'c', {}),
    ],
    hasMoreClients: false,
  });
  expect(await one.listedSessions.ofSubject({ ...listing, subject: 'carol' })).toEqual([]);
});

it('goes on in pages of sessions and of clients, also between sessions of the same second', async () => {
  const one = await withClients();
  for (const id of ['1', '2', '3']) await open(one, id, 0);
  const seen: string[] = [];
  let before: { createdAt: typeof NOW; id: string } | undefined;
  for (let page = 0; page < 3; page += 1) {
    const [session] = await one.listedSessions.ofSubject({ subject: 'alice', before, limit: 1, clients: 2 });
    expect(session?.clients.map(({ clientId }) => clientId)).toEqual(['a', 'b']);
    expect(session?.hasMoreClients).toBe(true);
    seen.push(session?.id ?? '');
    before = session;
  }
  expect(seen).toEqual(['3', '2', '1']);
  expect(await one.listedSessions.ofSubject({ subject: 'alice', before, limit: 1, clients: 2 })).toEqual([]);
  const rest = await one.listedSessions.find('1', 2, 'b');
  expect(rest).toMatchObject({ clients: [{ clientId: 'c' }], hasMoreClients: false });
});

it('finds a session by its identifier or the sid of a client, and no longer when it has ended', async () => {
  const one = await withClients();
  await open(one, 'session', 0);
  for (const name of ['session', 'session-b'])
    expect(await one.listedSessions.find(name, 10)).toMatchObject({ id: 'session' });
  expect(await one.listedSessions.find('other', 10)).toBeUndefined();
  await one.providerRecords.sessions.end('session', NOW);
  expect(await one.listedSessions.find('session', 10)).toBeUndefined();
});

it('says which client received no ID token, and so is not notified', async () => {
  const one = await withClients();
  await one.providerRecords.authorizations.save(
    {
      id: 'grant',
      clientId: anId('a'),
      subject: 'alice',
      payload: { openid: { scope: 'profile' } },
    },
    NOW,
  );
  await open(one, 'session', 0, { payload: { authorizations: { a: { grantId: 'grant' } } } });
  const session = await one.listedSessions.find('session', 10);
  expect(session?.clients.map(({ receivedIdToken }) => receivedIdToken)).toEqual([false, true, true]);
});
