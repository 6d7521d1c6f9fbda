import { expect, it } from 'vitest';
import { aClient, aDigest, after, anId, twoProcesses } from './testing/fixtures.js';
import { query } from './testing/test-database.js';

it('returns the requested client, or none, to each of several parallel reads', async () => {
  const { one } = await twoProcesses();
  const clients = Array.from({ length: 100 }, (_, n) => aClient({ id: anId(`c${n}`), version: n + 1 }));
  for (const client of clients) await one.clients.create(client);
  const ids = [...clients.map(({ id }) => id), anId('unknown'), anId('c7')];
  const found = await Promise.all(ids.map((id) => one.clients.find(id)));
  expect(found).toStrictEqual([...clients, undefined, clients[7]]);
});

it('rejects only the read of a client that cannot be decoded', async () => {
  const { url, one } = await twoProcesses();
  await one.clients.create(aClient({ id: anId('sound') }));
  await one.clients.create(aClient({ id: anId('broken') }));
  await query(url, `UPDATE client SET rights = '"' WHERE id = 'broken'`);
  const [sound, broken] = await Promise.allSettled([
    one.clients.find(anId('sound')),
    one.clients.find(anId('broken')),
  ]);
  expect(sound).toMatchObject({ status: 'fulfilled', value: { id: 'sound' } });
  expect(broken.status).toBe('rejected');
});

it('finds a client only by its current and previous registration access token, for parallel reads', async () => {
  const { one } = await twoProcesses();
  const withToken = (id: string, current: string, previous?: string) =>
    aClient({
      id: anId(id),
      registrationToken: {
        digest: aDigest(current),
        encrypted: current,
        ...(previous !== undefined && { previous: { digest: aDigest(previous), expiresAt: after(10) } }),
      },
    });
  const [first, second, bare] = [withToken('1', 'a', 'b'), withToken('2', 'c'), aClient({ id: anId('3') })];
  for (const client of [first, second, bare]) await one.clients.create(client);
  const requests: readonly [id: string, digests: readonly string[], found: typeof first | undefined][] = [
    ['1', ['x', 'a'], first],
    ['1', ['b', 'x'], first],
    ['1', ['a', 'b'], first],
    ['1', ['c'], undefined],
    ['2', ['a', 'b'], undefined],
    ['2', ['c'], second],
    ['3', ['a', 'c'], undefined],
    ['unknown', ['a'], undefined],
    ['2', ['c', 'x'], second],
  ];
  const found = await Promise.all(
    requests.map(([id, digests]) => one.clients.findByRegistrationToken(anId(id), digests.map(aDigest))),
  );
  expect(found).toStrictEqual(requests.map(([, , client]) => client));
});
