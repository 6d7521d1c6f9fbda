import type { Client } from '@vestibule/clients';
import { describe, expect, it } from 'vitest';
import {
  aClient,
  aDigest,
  after,
  anAccessToken,
  anId,
  anInitialToken,
  NOW,
  race,
  twoProcesses,
} from './testing/fixtures.js';
import { countRows, holdingLock, query, untilWaiting, whileChanging } from './testing/test-database.js';

/** An open registration that expires in an hour unless it is used. */
function anOpenClient(deviations: Partial<Client> = {}): Client {
  return aClient({ origin: 'open_registration', expiresAt: after(3600), ...deviations });
}

describe('a cap on open registrations that were never used', () => {
  // Otherwise a flood of registrations could fill the database, whatever each instance counts.
  it('is enforced exactly for 100 parallel registrations in two processes', async () => {
    const { url, one, other } = await twoProcesses();
    const outcomes = await race([one, other], 100, ({ clients }, index) =>
      clients.create(anOpenClient({ id: anId(`c${index}`) }), {
        actor: 'anonymous',
        unusedClientCap: { most: 20, network: [aDigest(`network ${index}`)] },
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(20);
    expect(outcomes.filter((outcome) => outcome === 'no_room')).toHaveLength(80);
    expect(await countRows(url, 'client')).toBe(20);
    expect(await countRows(url, 'audit_event')).toBe(20);
  });

  it('counts neither used clients nor those of other origins, and admits another one when one is used or deleted', async () => {
    const { one } = await twoProcesses();
    const create = (id: string) =>
      one.clients.create(anOpenClient({ id: anId(id) }), {
        unusedClientCap: { most: 2, network: [aDigest(`network of ${id}`)] },
      });
    await one.clients.create(aClient({ id: anId('managed') }));
    await one.clients.create(anOpenClient({ id: anId('used'), lastUsedAt: NOW }));
    const hasRoom = (id: string) => one.clients.hasRoom({ most: 2, network: [aDigest(`network of ${id}`)] });
    expect(await create('first')).toBe('created');
    for (let look = 0; look < 3; look += 1) expect(await hasRoom('second')).toBe(true);
    expect(await create('second')).toBe('created');
    expect(await hasRoom('third')).toBe(false);
    expect(await create('third')).toBe('no_room');
    await one.clients.markUsed([anId('first')], NOW, 300);
    expect(await create('third')).toBe('created');
    expect(await create('fourth')).toBe('no_room');
    await one.clients.delete(anId('second'), NOW);
    expect(await create('fourth')).toBe('created');
  });

  it('limits each network to a share of the free registrations, so that a few networks cannot use all of them', async () => {
    const { one, other } = await twoProcesses();
    let tried = 0;
    const create = ({ clients }: typeof one, network: string) => {
      tried += 1;
      return clients.create(anOpenClient({ id: anId(`c${tried}`) }), {
        unusedClientCap: { most: 20, network: [aDigest(network)] },
      });
    };
    const created: number[] = [];
    for (const network of ['a', 'b', 'c', 'd']) {
      const outcomes = await race([one, other], 30, (process) => create(process, network));
      created.push(outcomes.filter((outcome) => outcome === 'created').length);
    }
    expect(created).toEqual([10, 5, 3, 1]);
    expect(await create(one, 'e')).toBe('created');
    expect(await create(one, 'f')).toBe('no_room');
  });

  it('recognizes a network under each digest key, and deletes it at the first use', async () => {
    const { url, one } = await twoProcesses();
    const create = (id: string, network: readonly [string, ...string[]]) => {
      const [first, ...others] = network;
      return one.clients.create(anOpenClient({ id: anId(id) }), {
        unusedClientCap: { most: 3, network: [aDigest(first), ...others.map(aDigest)] },
      });
    };
    expect(await create('first', ['old key'])).toBe('created');
    expect(await create('second', ['new key', 'old key'])).toBe('created');
    expect(await create('third', ['new key', 'old key'])).toBe('no_room');
    const stored = async () =>
      (await query(url, 'SELECT FROM client WHERE network_digest IS NOT NULL')).length;
    expect(await stored()).toBe(2);
    await one.clients.markUsed([anId('first')], NOW, 300);
    expect(await stored()).toBe(1);
    expect(await create('third', ['new key', 'old key'])).toBe('created');
  });

  it.each([
    ['counts no client after its own update, which is a use', { lastUsedAt: NOW }, 'created', 0],
    ['counts a client after an update of the operator', {}, 'no_room', 1],
  ] as const)('%s', async (_, use, outcome, networks) => {
    const { url, one } = await twoProcesses();
    const create = (id: string) =>
      one.clients.create(anOpenClient({ id: anId(id) }), {
        unusedClientCap: { most: 1, network: [aDigest('network')] },
      });
    expect(await create('first')).toBe('created');
    const client = anOpenClient({ id: anId('first'), version: 2, ...use });
    expect(await one.clients.replace({ client })).toBe(true);
    expect(await create('second')).toBe(outcome);
    expect(
      await query(url, `SELECT FROM client WHERE id = 'first' AND network_digest IS NOT NULL`),
    ).toHaveLength(networks);
    expect(await query(url, `SELECT is_used FROM client WHERE id = 'first'`)).toEqual([
      { is_used: networks === 0 },
    ]);
  });
});

// Otherwise each use and each update would write all indexes of the row.
it('no index depends on a column that changes with each use or update of a client', async () => {
  const { url } = await twoProcesses();
  const indexes = await query<{ text: string }>(
    url,
    `SELECT pg_get_indexdef(indexrelid) AS text FROM pg_index WHERE indrelid = 'client'::regclass`,
  );
  expect(indexes.length).toBeGreaterThan(10);
  const changing = /last_used_at|updated_at|version|secret|registration_token/;
  expect(indexes.filter(({ text }) => changing.test(text))).toEqual([]);
});

describe('markUsed', () => {
  it('makes an open registration permanent, and no other client', async () => {
    const { one } = await twoProcesses();
    const federated = aClient({
      id: anId('federated'),
      origin: 'federation_automatic',
      expiresAt: after(60),
    });
    for (const client of [anOpenClient(), federated]) await one.clients.create(client);
    await one.clients.markUsed([anId('client'), anId('federated'), anId('unknown')], after(5), 300);
    const { expiresAt: _, ...permanent } = anOpenClient();
    expect(await one.clients.find(anId('client'))).toStrictEqual({ ...permanent, lastUsedAt: after(5) });
    expect(await one.clients.find(anId('federated'))).toStrictEqual({ ...federated, lastUsedAt: after(5) });
  });

  it('writes at most once within the interval', async () => {
    const { url, one } = await twoProcesses();
    await one.clients.create(aClient());
    const row = async () => (await query<{ xmin: string }>(url, 'SELECT xmin::text FROM client'))[0]?.xmin;
    await one.clients.markUsed([anId('client')], NOW, 300);
    const written = await row();
    for (const seconds of [0, 1, 300]) await one.clients.markUsed([anId('client')], after(seconds), 300);
    expect(await row()).toBe(written);
    await one.clients.markUsed([anId('client')], after(301), 300);
    expect(await row()).not.toBe(written);
  });

  it('does not renew a client in the second of its expiry', async () => {
    const { one } = await twoProcesses();
    await one.clients.create(anOpenClient({ expiresAt: after(10) }));
    await one.clients.markUsed([anId('client')], after(10), 300);
    expect(await one.clients.find(anId('client'))).toMatchObject({ expiresAt: after(10) });
    await one.clients.markUsed([anId('client')], after(9), 300);
    expect(await one.clients.find(anId('client'))).not.toHaveProperty('expiresAt');
  });

  // The update is read before the first use and written after it.
  it('is not undone by an update that was read before', async () => {
    const { one } = await twoProcesses();
    await one.clients.create(anOpenClient());
    await one.clients.markUsed([anId('client')], NOW, 300);
    expect(await one.clients.replace({ client: anOpenClient({ version: 2 }) })).toBe(true);
    expect(await one.clients.find(anId('client'))).not.toHaveProperty('expiresAt');
  });

  it('is not undone by an update that waited for it', async () => {
    const { url, one } = await twoProcesses();
    await one.clients.create(anOpenClient());
    const { result } = await whileChanging(
      url,
      'UPDATE client SET last_used_at = now(), expires_at = NULL',
      () => one.clients.replace({ client: anOpenClient({ version: 2 }) }),
    );
    expect(await result).toBe(true);
    expect(await one.clients.find(anId('client'))).not.toHaveProperty('expiresAt');
  });
});

describe('unused clients', () => {
  const BATCH = { unusedSince: NOW, origins: ['open_registration'], now: NOW, limit: 100 } as const;

  it('are those that were neither issued nor used since, without a live token or authorization', async () => {
    const { url, one } = await twoProcesses();
    const old = { issuedAt: after(-100) };
    const clients = [
      anOpenClient({ id: anId('a-forgotten'), ...old }),
      anOpenClient({ id: anId('b-used-long-ago'), ...old, lastUsedAt: after(-1) }),
      anOpenClient({ id: anId('c-used'), ...old, lastUsedAt: NOW }),
      anOpenClient({ id: anId('d-new') }),
      anOpenClient({ id: anId('e-access'), ...old }),
      anOpenClient({ id: anId('f-refresh'), ...old }),
      anOpenClient({ id: anId('g-dead-tokens'), ...old }),
      aClient({ id: anId('h-managed'), ...old }),
      anOpenClient({ id: anId('i-allowed'), ...old }),
      anOpenClient({ id: anId('j-allowed-for-ever'), ...old }),
      anOpenClient({ id: anId('k-allowed-once'), ...old }),
    ];
    for (const client of clients) await one.clients.create(client);
    await one.accessTokens.insert(aDigest('a'), anAccessToken({ clientId: anId('e-access') }));
    const dead = anAccessToken({ clientId: anId('g-dead-tokens'), issuedAt: after(-50), expiresAt: NOW });
    await one.accessTokens.insert(aDigest('b'), dead);
    await query(
      url,
      `INSERT INTO refresh_token (digest, client_id, scope, issued_at, expires_at, consumed_at)
        SELECT sha256(id::bytea), id, '', now(), to_timestamp(at), used FROM (VALUES
          ('f-refresh', ${NOW + 1}, NULL), ('g-dead-tokens', ${NOW + 1}, now())) AS token (id, at, used)`,
    );
    await query(
      url,
      `INSERT INTO "authorization" (id, client_id, subject, payload, created_at, expires_at)
        SELECT id, id, 'alice', '{}', now(), to_timestamp(at) FROM (VALUES
          ('i-allowed', ${NOW + 1}), ('j-allowed-for-ever', NULL), ('k-allowed-once', ${NOW})) AS allowed (id, at)`,
    );
    const ids = ['a-forgotten', 'b-used-long-ago', 'g-dead-tokens', 'k-allowed-once'];
    const found = await one.clients.findUnused(BATCH);
    expect(found.map(({ id }) => id)).toEqual(ids);
    expect(found.map(({ lastUsedAt }) => lastUsedAt)).toEqual([undefined, after(-1), after(-50), undefined]);
    expect(await one.clients.findUnused({ ...BATCH, after: anId('a-forgotten'), limit: 1 })).toEqual([
      found[1],
    ]);
    const everyOrigin = { ...BATCH, origins: ['open_registration', 'registration'] } as const;
    expect(await one.clients.findUnused(everyOrigin)).toHaveLength(5);
    expect(await one.clients.deleteUnused(BATCH, 'operator:ada')).toEqual(found);
    expect(await countRows(url, 'client')).toBe(7);
    const events = await query(
      url,
      `SELECT actor, target FROM audit_event WHERE action = 'client.pruned' ORDER BY target`,
    );
    expect(events).toEqual(ids.map((id) => ({ actor: 'operator:ada', target: `client:${id}` })));
    const cutoffs = await query(
      url,
      `SELECT value FROM revocation_cutoff WHERE kind = 'client' ORDER BY value`,
    );
    expect(cutoffs).toEqual(ids.map((value) => ({ value })));
  });

  it('are skipped while they are locked, and deleted once by parallel runs', async () => {
    const { url, one, other } = await twoProcesses();
    for (let index = 0; index < 50; index += 1)
      await one.clients.create(anOpenClient({ id: anId(`c${index}`), issuedAt: after(-1) }));
    const runs = await Promise.all(
      [one, other, one, other].map(({ clients }) => clients.deleteUnused(BATCH, 'service')),
    );
    const deleted = runs.flat().map(({ id }) => id);
    expect(new Set(deleted).size).toBe(deleted.length);
    const { length } = await one.clients.deleteUnused(BATCH, 'service');
    expect(deleted.length + length).toBe(50);
    expect(await countRows(url, 'audit_event')).toBe(100);
  });
});

// Otherwise a token could be consumed without a client, or a client created without consuming a token.
it('consumes a token exactly if the client exists, wherever the connection of a registration is cut', async () => {
  const { url, one } = await twoProcesses();
  await one.initialAccessTokens.insert(anInitialToken());
  const consuming = { digests: [aDigest('initial')], now: NOW };
  const register = () => one.clients.create(aClient(), { consuming }).catch((error: unknown) => error);
  // Before the token is locked, and after it, before the client is written.
  const locks = [
    'SELECT FROM initial_access_token FOR UPDATE',
    `INSERT INTO client (id, metadata, rights, issued_at, updated_at) VALUES ('client', '{}', '', now(), now())`,
  ];
  for (const lock of locks) {
    const outcome = await holdingLock(url, lock, async () => {
      const registering = register();
      await query(url, `SELECT pg_terminate_backend(${await untilWaiting(url)})`);
      return registering;
    });
    expect(outcome, lock).toBeInstanceOf(Error);
    expect(await one.initialAccessTokens.find(consuming.digests)).toMatchObject({ usesLeft: 1 });
    expect(await countRows(url, 'client')).toBe(0);
    expect(await countRows(url, 'audit_event')).toBe(1);
  }
  expect(await register()).toBe('created');
});

/** Creates everything that can belong to a client, for two clients. */
const EVERYTHING = `
  INSERT INTO session (id, cookie_digest, created_at, expires_at) VALUES ('s', sha256('s'), now(), now());
  INSERT INTO session_client (session_id, client_id, sid) SELECT 's', id, 'sid-' || id FROM client;
  INSERT INTO "authorization" (id, client_id, subject, payload, created_at)
    SELECT id || n, id, 'alice', '{}', now() FROM client, generate_series(1, 50) n;
  INSERT INTO access_token (digest, client_id, authorization_id, scope, audience, issuer, issued_at, expires_at)
    SELECT sha256(('a' || id || n)::bytea), id, id || (1 + n % 50), '', '{}', '', now(), 'infinity'
    FROM client, generate_series(1, 5000) n;
  INSERT INTO refresh_token (digest, client_id, authorization_id, scope, issued_at, expires_at)
    SELECT sha256(('r' || id || n)::bytea), id, id || (1 + n % 50), '', now(), 'infinity'
    FROM client, generate_series(1, 5000) n;
  INSERT INTO earlier_client_secret (client_id, digest, sealed, kept_until)
    SELECT id, sha256('x'), 'x', 'infinity' FROM client, generate_series(1, 3)`;

/** Counts the rows of each table that refer to a client. */
async function rowsOf(url: string, id: string): Promise<Record<string, number>> {
  const tables = await query<{ table: string; column: string }>(
    url,
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
      WHERE table_schema = 'public' AND (column_name = 'client_id' OR (table_name, column_name) = ('client', 'id'))`,
  );
  const counts = tables.map(async ({ table, column }) => {
    const statement = `SELECT count(*)::int AS count FROM "${table}" WHERE "${column}" = $1`;
    return [table, (await query<{ count: number }>(url, statement, [id]))[0]?.count ?? Number.NaN] as const;
  });
  return Object.fromEntries((await Promise.all(counts)).filter(([, count]) => count > 0));
}

const COMPLETE = {
  access_token: 5000,
  refresh_token: 5000,
  authorization: 50,
  client: 1,
  earlier_client_secret: 3,
  session_client: 1,
};

describe('deletion', () => {
  it('leaves no row of a client with 5,000 tokens of each kind, and revokes its self-contained tokens', async () => {
    const { url, one } = await twoProcesses();
    for (const id of ['client', 'other']) await one.clients.create(aClient({ id: anId(id) }));
    await query(url, EVERYTHING);
    expect(await rowsOf(url, 'client')).toEqual(COMPLETE);
    expect(await one.clients.delete(anId('client'), NOW)).toBe(true);
    expect(await rowsOf(url, 'client')).toEqual({});
    expect(await rowsOf(url, 'other')).toEqual(COMPLETE);
    expect(await one.clients.delete(anId('client'), NOW)).toBe(false);
    // Another client with the same identifier does not make its tokens active again.
    await one.clients.create(aClient());
    const facts = { issuer: 'i', jti: 'j', clientId: anId('client'), subject: 's', earliestIssuedAt: NOW };
    expect(await one.revocations.statuses([facts])).toMatchObject([{ isRevoked: true }]);
  });

  // A deletion without the revocation of tokens, or a revocation without its event, must never be visible.
  it('takes effect as a whole or not at all when its connection is cut half-way', async () => {
    const { url, one } = await twoProcesses();
    await one.clients.create(aClient());
    await query(url, EVERYTHING);
    const oneOfMany = 'SELECT FROM refresh_token ORDER BY ctid DESC LIMIT 1';
    const outcome = await holdingLock(url, `${oneOfMany} FOR UPDATE`, async () => {
      const deleting = one.clients.delete(anId('client'), NOW).catch((error: unknown) => error);
      await query(url, `SELECT pg_terminate_backend(${await untilWaiting(url)})`);
      return deleting;
    });
    expect(outcome).toBeInstanceOf(Error);
    expect(await rowsOf(url, 'client')).toEqual(COMPLETE);
    expect(await countRows(url, 'revocation_cutoff')).toBe(0);
    expect(await countRows(url, 'audit_event')).toBe(1);
    expect(await one.clients.delete(anId('client'), NOW)).toBe(true);
    expect(await rowsOf(url, 'client')).toEqual({});
    expect(await countRows(url, 'audit_event')).toBe(2);
  });
});
