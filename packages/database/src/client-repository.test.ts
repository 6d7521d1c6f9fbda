import type { Client } from '@vestibule/clients';
import { ALL_SCOPES } from '@vestibule/scopes';
import { describe, expect, it } from 'vitest';
import {
  aClient,
  aDigest,
  after,
  anAccessToken,
  anId,
  anInitialToken,
  isRevoked,
  NOW,
  twoProcesses,
} from './testing/fixtures.js';
import { countRows, query, whileChanging } from './testing/test-database.js';

/** A client with every member. */
const COMPLETE = aClient({
  data: { team: 'Ünï — "x"', nested: { list: [1, 2.5, null, true] } },
  grantedScopes: ALL_SCOPES,
  origin: 'federation_explicit',
  status: 'pending',
  secret: { digest: aDigest('secret'), encrypted: 'v1.secret', expiresAt: after(100) },
  registrationToken: {
    digest: aDigest('token'),
    encrypted: 'v1.token',
    previous: { digest: aDigest('previous'), expiresAt: after(10) },
  },
  lastUsedAt: after(-5),
  expiresAt: after(1_000),
  version: 7,
  federation: {
    entityId: 'https://entity.example',
    trustAnchor: 'https://anchor.example',
    superior: 'https://superior.example',
    chainExpiresAt: after(500),
    statementIssuedAt: after(-20),
    isAddressed: false,
  },
});

const consuming = { digests: [aDigest('other'), aDigest('initial')], now: NOW };

async function collect(pages: AsyncIterable<readonly Client[]>): Promise<readonly Client[][]> {
  const collected: Client[][] = [];
  for await (const page of pages) collected.push([...page]);
  return collected;
}

describe('find', () => {
  it('returns a client exactly as it was created, whichever members it has', async () => {
    const { one, other } = await twoProcesses();
    for (const client of [aClient(), { ...COMPLETE, id: anId('complete') }]) {
      expect(await one.clients.create(client)).toBe('created');
      expect(await other.clients.find(client.id)).toStrictEqual(client);
    }
    expect(await one.clients.find(anId('unknown'))).toBeUndefined();
  });
});

describe('the client of a federation entity', () => {
  it('is found by the entity identifier, and is the only one', async () => {
    const { url, one, other } = await twoProcesses();
    await one.clients.create(COMPLETE);
    expect(await other.clients.findByEntity('https://entity.example')).toStrictEqual(COMPLETE);
    expect(await other.clients.findByEntity('https://entity.example/')).toBeUndefined();
    expect(await one.clients.create({ ...COMPLETE, id: anId('another') })).toBe('id_taken');
    expect(await countRows(url, 'client')).toBe(1);
  });

  it('is deleted with everything that was issued to it when its registration expires', async () => {
    const { url, one } = await twoProcesses();
    await one.clients.create(COMPLETE);
    const token = anAccessToken({ clientId: COMPLETE.id, expiresAt: after(9_000) });
    await one.accessTokens.insert(aDigest('token'), token);
    await query(
      url,
      `INSERT INTO refresh_token (digest, client_id, scope, issued_at, expires_at)
        SELECT sha256('r'), id, '', now(), to_timestamp(${after(9_000)}) FROM client;
       INSERT INTO "authorization" (id, client_id, subject, payload, created_at)
        SELECT 'a', id, 'alice', '{}', now() FROM client`,
    );
    expect(await one.cleanUp({ now: after(999) })).toMatchObject({ client: 0 });
    expect(await one.cleanUp({ now: after(1_000) })).toMatchObject({ client: 1 });
    for (const table of ['client', 'access_token', 'refresh_token', 'authorization'])
      expect(await countRows(url, table), table).toBe(0);
    const events = await query(url, `SELECT action, target FROM audit_event WHERE action = 'client.expired'`);
    expect(events).toEqual([{ action: 'client.expired', target: 'client:client' }]);
  });
});

describe('create', () => {
  it('refuses an identifier that is taken, and changes nothing', async () => {
    const { url, one } = await twoProcesses();
    await one.initialAccessTokens.insert(anInitialToken());
    await one.clients.create(aClient());
    const changed = aClient({ version: 5 });
    expect(await one.clients.create(changed)).toBe('id_taken');
    expect(await one.clients.create(changed, { consuming })).toBe('id_taken');
    expect(await one.clients.find(changed.id)).toStrictEqual(aClient());
    expect(await one.initialAccessTokens.find([aDigest('initial')])).toMatchObject({ usesLeft: 1 });
    expect(await countRows(url, 'initial_access_token_use')).toBe(0);
  });

  it('consumes one use of the initial access token, and records it', async () => {
    const { url, one } = await twoProcesses();
    await one.initialAccessTokens.insert(anInitialToken({ usesLeft: 2 }));
    expect(await one.clients.create(aClient(), { consuming })).toBe('created');
    expect(await one.initialAccessTokens.find([aDigest('initial')])).toMatchObject({ usesLeft: 1 });
    const uses = await query(url, 'SELECT client_id, used_at FROM initial_access_token_use');
    expect(uses).toEqual([{ client_id: 'client', used_at: new Date(NOW * 1000) }]);
  });

  it('creates nothing with a token that is unknown, consumed, or in the second of its expiry', async () => {
    const { url, one } = await twoProcesses();
    const unusable = [
      undefined,
      anInitialToken({ usesLeft: 0 }),
      anInitialToken({ expiresAt: NOW }),
      anInitialToken({ expiresAt: after(-1) }),
    ];
    for (const token of unusable) {
      if (token !== undefined) await one.initialAccessTokens.insert(token);
      expect(await one.clients.create(aClient(), { consuming })).toBe('token_not_usable');
      await one.initialAccessTokens.delete([aDigest('initial')]);
    }
    expect(await countRows(url, 'client')).toBe(0);
  });

  // Otherwise a leaked or shared one-time token could register any number of clients.
  it('creates exactly one client with a one-time token, for 100 parallel calls in two processes', async () => {
    const { url, one, other } = await twoProcesses();
    for (let round = 0; round < 5; round += 1) {
      const digest = aDigest(`token ${round}`);
      await one.initialAccessTokens.insert(anInitialToken({ digest }));
      const attempts = Array.from({ length: 100 }, (_, index) =>
        (index % 2 === 0 ? one : other).clients.create(aClient({ id: anId(`client-${round}-${index}`) }), {
          consuming: { digests: [digest], now: NOW },
        }),
      );
      const outcomes = await Promise.all(attempts);
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'token_not_usable')).toHaveLength(99);
      expect(await countRows(url, 'client')).toBe(round + 1);
    }
    expect(await countRows(url, 'initial_access_token_use')).toBe(5);
  });
});

describe('replace', () => {
  it('sets everything except the identifier and the time of issue, and keeps the previous secret', async () => {
    const { one, other } = await twoProcesses();
    const registrationToken = { digest: aDigest('previous'), encrypted: 'v1.previous' };
    await one.clients.create(aClient({ lastUsedAt: after(50), registrationToken }));
    const previousSecret = {
      digest: aDigest('previous secret'),
      encrypted: 'v1.previous-secret',
      authenticatesUntil: after(5),
      keptUntil: after(50),
    };
    const client = { ...COMPLETE, version: 2, issuedAt: after(99) };
    expect(await one.clients.replace({ client, previousSecret })).toBe(true);
    // The time of last use never moves back.
    const expected = { ...client, issuedAt: NOW, lastUsedAt: after(50) };
    expect(await other.clients.find(client.id)).toStrictEqual(expected);
    expect(await other.clients.previousSecrets(client.id, after(49))).toStrictEqual([previousSecret]);
    expect(await other.clients.previousSecrets(client.id, after(50))).toEqual([]);
    expect(await one.clients.replace({ client: aClient({ version: 3 }) })).toBe(true);
    expect(await one.clients.find(client.id)).toStrictEqual(aClient({ version: 3, lastUsedAt: after(50) }));
  });

  it('lists previous secrets newest first', async () => {
    const { one } = await twoProcesses();
    await one.clients.create(aClient());
    for (const version of [2, 3]) {
      const previousSecret = {
        digest: aDigest(`${version}`),
        encrypted: `v${version}`,
        keptUntil: after(50),
      };
      await one.clients.replace({ client: aClient({ version }), previousSecret });
    }
    const secrets = await one.clients.previousSecrets(anId('client'), NOW);
    expect(secrets.map(({ encrypted }) => encrypted)).toEqual(['v3', 'v2']);
  });

  it('changes nothing when the client does not exist or has another version', async () => {
    const { url, one } = await twoProcesses();
    const previousSecret = {
      digest: aDigest('previous secret'),
      encrypted: 'v1.previous-secret',
      keptUntil: after(50),
    };
    expect(await one.clients.replace({ client: aClient({ version: 2 }), previousSecret })).toBe(false);
    await one.clients.create(aClient());
    for (const version of [1, 3, 0]) {
      expect(await one.clients.replace({ client: aClient({ version }), previousSecret })).toBe(false);
    }
    expect(await one.clients.find(anId('client'))).toStrictEqual(aClient());
    expect(await countRows(url, 'earlier_client_secret')).toBe(0);
  });

  it('applies exactly one of parallel replacements of a version, with its own secret', async () => {
    const { one, other } = await twoProcesses();
    await one.clients.create(aClient());
    const attempts = Array.from({ length: 50 }, (_, index) =>
      (index % 2 === 0 ? one : other).clients.replace({
        client: aClient({ version: 2, data: { index } }),
        previousSecret: { digest: aDigest(`${index}`), encrypted: `${index}`, keptUntil: after(50) },
      }),
    );
    const winners = (await Promise.all(attempts)).flatMap((won, index) => (won ? [index] : []));
    expect(winners).toHaveLength(1);
    expect(await one.clients.find(anId('client'))).toMatchObject({ data: { index: winners[0] } });
    const secrets = await one.clients.previousSecrets(anId('client'), NOW);
    expect(secrets.map(({ encrypted }) => encrypted)).toEqual([`${winners[0]}`]);
  });
});

it('returns the 50 newest previous secrets of a client', async () => {
  const { url, one } = await twoProcesses();
  for (const id of ['client', 'other']) await one.clients.create(aClient({ id: anId(id) }));
  await query(
    url,
    `INSERT INTO earlier_client_secret (client_id, digest, sealed, kept_until)
     SELECT CASE WHEN n <= 500 THEN 'client' ELSE 'other' END, sha256(n::text::bytea), 'v' || n, to_timestamp(${after(50)})
     FROM generate_series(1, 2000) n`,
  );
  const secrets = await one.clients.previousSecrets(anId('client'), NOW);
  expect(secrets.map(({ encrypted }) => encrypted)).toEqual(
    Array.from({ length: 50 }, (_, index) => `v${500 - index}`),
  );
});

describe('forgetPreviousRegistrationToken', () => {
  it('deletes it once its successor was used, and not before', async () => {
    const { one } = await twoProcesses();
    await one.clients.create(COMPLETE);
    const forget = (current: string) =>
      one.clients.forgetPreviousRegistrationToken(COMPLETE.id, aDigest(current));
    expect(await forget('previous')).toBe(false);
    expect(await one.clients.find(COMPLETE.id)).toStrictEqual(COMPLETE);
    expect([await forget('token'), await forget('token')]).toEqual([true, false]);
    const { registrationToken, ...rest } = COMPLETE;
    const kept = { digest: registrationToken?.digest, encrypted: registrationToken?.encrypted };
    expect(await one.clients.find(COMPLETE.id)).toStrictEqual({ ...rest, registrationToken: kept });
  });
});

describe('a deleted previous registration access token', () => {
  it('is not restored by a replacement that was under way', async () => {
    const { url, one, other } = await twoProcesses();
    await one.clients.create(COMPLETE);
    const change = { client: { ...COMPLETE, version: 8 } };
    const forgetting = `UPDATE client SET previous_registration_token_digest = NULL,
      previous_registration_token_expires_at = NULL`;
    const { result } = await whileChanging(url, forgetting, () => one.clients.replace(change));
    expect(await result).toBe(false);
    expect(await other.clients.find(COMPLETE.id)).toMatchObject({ version: 7 });
    const previous = { digest: aDigest('token'), expiresAt: after(10) };
    const registrationToken = { digest: aDigest('next'), encrypted: 'v1.next', previous };
    const client = { ...COMPLETE, version: 8, registrationToken };
    expect(await one.clients.replace({ client })).toBe(true);
    expect(await other.clients.find(COMPLETE.id)).toMatchObject({ registrationToken });
  });
});

describe('delete', () => {
  it('does not delete a client with another version than the given one', async () => {
    const { one, other } = await twoProcesses();
    await one.clients.create(aClient({ version: 2 }));
    for (const ifVersion of [1, 3])
      expect(await one.clients.delete(anId('client'), NOW, { ifVersion })).toBe(false);
    expect(await other.clients.find(anId('client'))).toBeDefined();
    expect(await one.clients.delete(anId('client'), NOW, { ifVersion: 2 })).toBe(true);
  });

  it('deletes everything that belongs to the client, and revokes its self-contained tokens', async () => {
    const { url, one, other } = await twoProcesses();
    await one.clients.create(aClient());
    await one.clients.create(aClient({ id: anId('bystander') }));
    await query(url, DEPENDENTS);
    await one.accessTokens.insert(aDigest('kept'), anAccessToken({ clientId: anId('bystander') }));
    await one.accessTokens.insert(aDigest('gone'), anAccessToken());
    expect(await one.clients.delete(anId('client'), NOW)).toBe(true);
    expect(await other.clients.delete(anId('client'), NOW)).toBe(false);
    for (const table of ['earlier_client_secret', 'refresh_token', 'authorization', 'session_client']) {
      expect(await countRows(url, table), table).toBe(0);
    }
    expect(await countRows(url, 'access_token')).toBe(1);
    const token = { issuer: 'https://server.example', jti: 'j', clientId: anId('client') };
    expect(await isRevoked(other, { ...token, earliestIssuedAt: NOW })).toBe(true);
    await one.clients.create(aClient());
    expect(await isRevoked(other, { ...token, earliestIssuedAt: NOW })).toBe(true);
    expect(await isRevoked(other, { ...token, earliestIssuedAt: after(1) })).toBe(false);
  });

  it('does not write a cut-off for a client that never existed', async () => {
    const { url, one } = await twoProcesses();
    expect(await one.clients.delete(anId('client'), NOW)).toBe(false);
    expect(await countRows(url, 'revocation_cutoff')).toBe(0);
  });

  // Otherwise a token that is issued while its client is deleted could outlive it.
  it('leaves no token that was issued at the same time', async () => {
    const { url, one, other } = await twoProcesses();
    for (let round = 0; round < 10; round += 1) {
      await one.clients.create(aClient());
      const inserts = Array.from({ length: 20 }, (_, index) =>
        other.accessTokens.insert(aDigest(`${round}-${index}`), anAccessToken()),
      );
      const [deleted] = await Promise.all([one.clients.delete(anId('client'), NOW), ...inserts]);
      expect(deleted).toBe(true);
      expect(await countRows(url, 'access_token')).toBe(0);
    }
  });

  it('deletes a client with 5,000 tokens at once', async () => {
    const { url, one } = await twoProcesses();
    await one.clients.create(aClient());
    await query(
      url,
      `INSERT INTO access_token (digest, client_id, scope, audience, issuer, issued_at, expires_at)
       SELECT sha256(n::text::bytea), 'client', 's', '{}', 'i', now(), now() FROM generate_series(1, 5000) n`,
    );
    expect(await one.clients.delete(anId('client'), NOW)).toBe(true);
    expect(await countRows(url, 'access_token')).toBe(0);
  });
});

describe('list', () => {
  it('returns every client once, in the order of issue, in pages', async () => {
    const { url, one } = await twoProcesses();
    // Most have the same time of issue, and some times are fractions of seconds.
    await query(
      url,
      `INSERT INTO client (id, metadata, rights, issued_at, updated_at)
       SELECT 'c' || n, '{}', '', to_timestamp(1780000000 + (n % 3) * 0.25), now() FROM generate_series(1, 1234) n`,
    );
    const pages = await collect(one.clients.list());
    expect(pages.map((page) => page.length)).toEqual([...Array(49).fill(25), 9]);
    const ids = pages.flat().map(({ id }) => id);
    const expected = await query<{ id: string }>(url, 'SELECT id FROM client ORDER BY issued_at, id');
    expect(ids).toEqual(expected.map(({ id }) => id));
  });

  it('returns nothing for an empty table, and stops reading when the consumer stops', async () => {
    const { one } = await twoProcesses();
    expect(await collect(one.clients.list())).toEqual([]);
    await one.clients.create(aClient());
    for await (const page of one.clients.list()) {
      expect(page).toHaveLength(1);
      break;
    }
  });
});

const DEPENDENTS = `
  INSERT INTO earlier_client_secret (client_id, digest, sealed, kept_until)
    VALUES ('client', sha256('x'), 'x', now());
  INSERT INTO "authorization" (id, client_id, subject, payload, created_at)
    VALUES ('a', 'client', 'alice', '{}', now());
  INSERT INTO refresh_token (digest, client_id, scope, issued_at, expires_at, authorization_id)
    VALUES (sha256('r'), 'client', '', now(), now(), 'a');
  INSERT INTO access_token (digest, client_id, scope, audience, issuer, issued_at, expires_at, authorization_id)
    VALUES (sha256('t'), 'client', '', '{}', '', now(), now(), 'a');
  INSERT INTO session (id, cookie_digest, created_at, expires_at) VALUES ('s', sha256('s'), now(), now());
  INSERT INTO session_client (session_id, client_id, sid) VALUES ('s', 'client', 'sid');
`;
