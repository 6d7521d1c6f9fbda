import { describe, expect, it } from 'vitest';
import type { Database } from './open-database.js';
import { aClient, aDigest, after, anAccessToken, anId, NOW, race, twoProcesses } from './testing/fixtures.js';
import { countRows, query } from './testing/test-database.js';

const AT = after(5);
const CLIENT = anId('client');
const GRANT = { id: 'grant', clientId: CLIENT, subject: 'alice', payload: {} };

function aSession(clients: readonly string[], id = 'session') {
  return {
    id,
    cookieDigest: aDigest(`cookie of ${id}`),
    subject: 'alice',
    payload: {},
    expiresAt: after(900),
    clients: clients.map((clientId) => ({ clientId, sid: `${id} at ${clientId}` })),
  };
}

/** Every way to store a token or login of a client at a given time. */
const USES: Readonly<Record<string, (database: Database, at: typeof NOW, name: string) => Promise<unknown>>> =
  {
    'an access token of the direct authorization endpoint': ({ accessTokens }, at, name) =>
      accessTokens.insert(aDigest(name), anAccessToken({ clientId: CLIENT, issuedAt: at })),
    'an imported token': (database, at, name) =>
      database.actingAs({ actor: 'master', clock: { nowMs: () => at * 1000 } }).importedTokens.add(
        [
          {
            kind: 'access',
            digests: [aDigest(name)],
            facts: aDigest('facts'),
            token: anAccessToken({ clientId: CLIENT }),
          },
        ],
        { isAllOrNone: true, now: at },
      ),
    'an access token of the adapter': ({ providerRecords }, at, name) =>
      providerRecords.accessTokens.save(aDigest(name), anAccessToken({ clientId: CLIENT, issuedAt: at }), {}),
    'a refresh token': ({ providerRecords }, at, name) =>
      providerRecords.refreshTokens.save(aDigest(name), {
        clientId: CLIENT,
        scope: 'openid',
        issuedAt: at,
        expiresAt: after(900),
        payload: {},
      }),
    'an authorization': ({ providerRecords }, at, name) =>
      providerRecords.authorizations.save({ ...GRANT, id: name }, at),
    'a login': ({ providerRecords }, at, name) =>
      providerRecords.sessions.save(aSession(['client'], name), at),
    'a use of which nothing else is stored': ({ providerRecords }, at) =>
      providerRecords.clientUses.note(CLIENT, at),
  };

const anOpenClient = () => aClient({ origin: 'open_registration', expiresAt: after(60) });

/** Reads the clients that were made permanent, from the audit events. */
const keptEvents = (url: string) =>
  query(
    url,
    `SELECT actor, target, before_digest = after_digest AS same, extract(epoch FROM occurred_at)::int AS at
      FROM audit_event WHERE action = 'client.kept'`,
  );

describe.each(Object.entries(USES))('%s', (_, use) => {
  it('counts as a use of its client, and makes an open registration permanent', async () => {
    const { url, one } = await twoProcesses();
    await one.clients.create(anOpenClient());
    await use(one, AT, 'first');
    const { expiresAt: _end, ...permanent } = anOpenClient();
    expect(await one.clients.find(CLIENT)).toStrictEqual({ ...permanent, lastUsedAt: AT });
    expect(await keptEvents(url)).toEqual([
      { actor: 'service', target: 'client:client', same: true, at: AT },
    ]);
  });

  it('is written once in five minutes', async () => {
    const { url, one } = await twoProcesses();
    await one.clients.create(aClient());
    const row = async () => (await query<{ xmin: string }>(url, 'SELECT xmin::text FROM client'))[0]?.xmin;
    await use(one, NOW, 'first');
    const written = await row();
    for (const seconds of [0, 1, 300]) await use(one, after(seconds), `at ${seconds}`);
    expect(await row()).toBe(written);
    await use(one, after(301), 'later');
    expect(await one.clients.find(CLIENT)).toMatchObject({ lastUsedAt: after(301) });
  });

  it('does not renew an expired client', async () => {
    const { url, one } = await twoProcesses();
    await one.clients.create(anOpenClient());
    await use(one, after(60), 'late');
    expect(await one.clients.find(CLIENT)).toStrictEqual(anOpenClient());
    expect(await keptEvents(url)).toEqual([]);
  });

  it('makes the client permanent once, for parallel uses', async () => {
    const { url, one, other } = await twoProcesses();
    await one.clients.create(anOpenClient());
    await race([one, other], 20, (process, index) => use(process, AT, `parallel ${index}`));
    expect(await keptEvents(url)).toHaveLength(1);
  });
});

it('counts a self-contained token under an authorization as a use of its client', async () => {
  const { url, one } = await twoProcesses();
  await one.clients.create(anOpenClient());
  await query(
    url,
    `INSERT INTO "authorization" (id, client_id, subject, payload, created_at)
      VALUES ('grant', 'client', 'alice', '{}', now())`,
  );
  const jwt = { digest: aDigest('jwt'), issuer: 'https://as.example', jti: 'jwt', expiresAt: after(600) };
  const { authorizations } = one.providerRecords;
  await authorizations.addJwt({ ...jwt, authorizationId: 'gone' }, AT);
  expect(await keptEvents(url)).toEqual([]);
  await authorizations.addJwt({ ...jwt, authorizationId: 'grant' }, AT);
  expect(await one.clients.find(CLIENT)).toMatchObject({ lastUsedAt: AT });
  expect(await keptEvents(url)).toHaveLength(1);
});

it('counts an ID token that adds a client to a session as a use of the client', async () => {
  const { one } = await twoProcesses();
  await one.clients.create(anOpenClient());
  const { sessions } = one.providerRecords;
  await sessions.save(aSession([]), NOW);
  const client = { clientId: CLIENT, subject: 'alice', sid: 'sid' };
  expect(await sessions.addClient('session', { ...client, subject: 'bob' }, AT)).toBeUndefined();
  expect(await one.clients.find(CLIENT)).not.toHaveProperty('lastUsedAt');
  expect(await sessions.addClient('session', client, AT)).toBe('sid');
  expect(await one.clients.find(CLIENT)).toMatchObject({ lastUsedAt: AT });
});

it('counts a session that is saved again as a use of only its new clients', async () => {
  const { one } = await twoProcesses();
  for (const id of ['client', 'other']) await one.clients.create(aClient({ id: anId(id) }));
  const { sessions } = one.providerRecords;
  await sessions.save(aSession(['client']), NOW);
  await sessions.save(aSession(['client', 'other']), after(400));
  expect(await one.clients.find(CLIENT)).toMatchObject({ lastUsedAt: NOW });
  expect(await one.clients.find(anId('other'))).toMatchObject({ lastUsedAt: after(400) });
});

it('counts no use for records that are not stored because the client was deleted', async () => {
  const { url, one } = await twoProcesses();
  for (const [name, use] of Object.entries(USES)) await use(one, AT, name);
  expect(await countRows(url, 'client')).toBe(0);
  expect(await countRows(url, 'audit_event')).toBe(0);
});
