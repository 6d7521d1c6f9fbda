import type { ImportedTokenRecord, ImportOptions } from '@vestibule/tokens/importing';
import { describe, expect, it } from 'vitest';
import type { Database } from './open-database.js';
import { aClient, aDigest, after, anAccessToken, anId, NOW, race, twoProcesses } from './testing/fixtures.js';
import { countRows, query } from './testing/test-database.js';

/** Makes a record with its own digest and facts. */
function aRecord(name: string, deviation: Partial<ImportedTokenRecord> = {}): ImportedTokenRecord {
  return {
    kind: 'access',
    candidates: [aDigest(name)],
    facts: aDigest(`facts of ${name}`),
    token: anAccessToken({ issuedAt: after(-60) }),
    ...deviation,
  };
}

const CLOCK = { nowMs: () => NOW * 1_000 };

/** The store as the master token uses it. */
const storeOf = (database: Database) => database.actingAs({ actor: 'master', clock: CLOCK }).importedTokens;

async function withClient() {
  const processes = await twoProcesses();
  await processes.one.clients.create(aClient());
  const add = (
    records: readonly ImportedTokenRecord[],
    options: Partial<ImportOptions> = {},
    database = processes.one,
  ) => storeOf(database).add(records, { isAllOrNone: false, now: NOW, ...options });
  const counts = async () => ({
    access: await countRows(processes.url, 'access_token'),
    refresh: await countRows(processes.url, 'refresh_token'),
    imported: await countRows(processes.url, 'imported_token'),
  });
  return { ...processes, add, counts };
}

const COMPLETE = anAccessToken({
  scope: 'read write',
  audience: ['api', 'with "quotes", {braces} and \\', 'NULL'],
  issuedAt: after(-60),
  notBefore: after(-1),
  subject: 'alice',
  username: 'Älice 😀',
  confirmation: { 'x5t#S256': 'thumb' },
  actor: { sub: 'admin', act: { sub: 'root' } },
  data: { a: [1, { b: null }], text: '"\\' },
  claims: { email: 'a@b.example' },
  sessionId: 'session',
});

describe('add', () => {
  it('stores access tokens like those that are issued here, with every member', async () => {
    const { one, other, add, counts } = await withClient();
    const records = [aRecord('minimal'), aRecord('complete', { token: COMPLETE })];
    expect(await add(records)).toEqual(['stored', 'stored']);
    expect(await other.accessTokens.find([aDigest('minimal')])).toStrictEqual(
      anAccessToken({ issuedAt: after(-60) }),
    );
    expect(await one.accessTokens.find([aDigest('other key'), aDigest('complete')])).toStrictEqual(COMPLETE);
    expect(await counts()).toEqual({ access: 2, refresh: 0, imported: 2 });
  });

  it('stores refresh tokens, which can be revoked and are never found for a use', async () => {
    const { url, one, add } = await withClient();
    expect(await add([aRecord('refresh', { kind: 'refresh', token: COMPLETE })])).toEqual(['stored']);
    expect(
      await query(
        url,
        'SELECT client_id, subject, scope, session_id, payload, authorization_id FROM refresh_token',
      ),
    ).toEqual([
      {
        client_id: 'client',
        subject: 'alice',
        scope: 'read write',
        session_id: 'session',
        payload: null,
        authorization_id: null,
      },
    ]);
    const digests = [aDigest('refresh')];
    expect(await one.revocations.refreshTokenOwner(digests)).toBe('client');
    expect(await one.accessTokens.find(digests)).toBeUndefined();
    expect(await one.providerRecords.refreshTokens.find(digests, NOW)).toBeUndefined();
    expect(await one.revocations.revokeRefreshToken(digests, NOW)).toBe(true);
    expect(await one.revocations.refreshTokenOwner(digests)).toBeUndefined();
  });

  it('changes nothing for a token that is sent again, and refuses other facts', async () => {
    const { one, other, add, counts } = await withClient();
    await add([aRecord('t', { token: COMPLETE })]);
    expect(await add([aRecord('t', { token: COMPLETE })], {}, other)).toEqual(['unchanged']);
    const facts = aDigest('other facts');
    for (const token of [COMPLETE, anAccessToken({ scope: 'admin' })])
      expect(await add([aRecord('t', { facts, token }), aRecord('next')])).toEqual([
        'other_facts',
        expect.stringMatching(/stored|unchanged/),
      ]);
    expect(await one.accessTokens.find([aDigest('t')])).toStrictEqual(COMPLETE);
    expect(await counts()).toEqual({ access: 2, refresh: 0, imported: 2 });
  });

  it('recognizes a token that is stored under an earlier digest key', async () => {
    const { add, counts } = await withClient();
    const facts = aDigest('facts');
    await add([aRecord('t', { candidates: [aDigest('earlier key')], facts })]);
    const again = { candidates: [aDigest('new key'), aDigest('earlier key')] as const, facts };
    expect(await add([aRecord('t', again)])).toEqual(['unchanged']);
    expect(await counts()).toMatchObject({ access: 1, imported: 1 });
  });

  it('stores nothing if one token of many is refused and all or none are wanted', async () => {
    const { add, counts, url } = await withClient();
    const unknown = aRecord('unknown', { token: anAccessToken({ clientId: anId('unknown-id') }) });
    const records = [aRecord('a'), unknown, aRecord('b', { kind: 'refresh' })];
    expect(await add(records, { isAllOrNone: true })).toEqual(['stored', 'unknown_client', 'stored']);
    expect(await counts()).toEqual({ access: 0, refresh: 0, imported: 0 });
    expect(await query(url, 'SELECT FROM audit_event WHERE action = $1', ['tokens.imported'])).toEqual([]);
    expect(await add(records)).toEqual(['stored', 'unknown_client', 'stored']);
    expect(await counts()).toEqual({ access: 1, refresh: 1, imported: 2 });
  });

  it('refuses the tokens of a client that does not exist, is not active or has expired', async () => {
    const { url, add } = await withClient();
    expect(await add([aRecord('t', { token: anAccessToken({ clientId: anId('unknown-id') }) })])).toEqual([
      'unknown_client',
    ]);
    for (const change of [
      `status = 'pending'`,
      `status = 'suspended'`,
      `status = 'active', expires_at = to_timestamp(${NOW})`,
    ]) {
      await query(url, `UPDATE client SET ${change}`);
      expect(await add([aRecord('t')]), change).toEqual(['unknown_client']);
    }
    await query(url, `UPDATE client SET expires_at = to_timestamp(${NOW + 1})`);
    expect(await add([aRecord('t')])).toEqual(['stored']);
  });

  it('refuses a token that was issued here', async () => {
    const { one, add, counts } = await withClient();
    await one.accessTokens.insert(aDigest('own'), anAccessToken());
    await one.providerRecords.refreshTokens.save(aDigest('own refresh'), {
      clientId: anId('client'),
      scope: '',
      issuedAt: NOW,
      expiresAt: after(60),
      payload: {},
    });
    expect(await add([aRecord('own'), aRecord('own refresh', { kind: 'refresh' })])).toEqual([
      'issued_here',
      'issued_here',
    ]);
    expect(await counts()).toEqual({ access: 1, refresh: 1, imported: 0 });
  });

  it('records an event for tokens that are added, without their text, and none if nothing is', async () => {
    const { url, add } = await withClient();
    const records = [aRecord('a'), aRecord('b'), aRecord('r', { kind: 'refresh' })];
    await add(records);
    await add(records);
    expect(
      await query(
        url,
        `SELECT actor, target, details, extract(epoch FROM occurred_at)::int AS at
         FROM audit_event WHERE action = 'tokens.imported'`,
      ),
    ).toEqual([
      { actor: 'master', target: 'tokens', details: { access_tokens: 2, refresh_tokens: 1 }, at: NOW },
    ]);
  });

  it('accepts no records', async () => {
    const { add } = await withClient();
    expect(await add([])).toEqual([]);
  });
});

/** Every way to revoke the token `t` of `client`, subject `alice`, session `session`. */
const REVOCATIONS: Readonly<Record<string, (database: Database, at: typeof NOW) => Promise<unknown>>> = {
  token: ({ revocations }) => revocations.revokeAccessToken([aDigest('t')]),
  client: ({ revocations }, at) => revocations.revokeClient(anId('client'), at),
  subject: ({ revocations }, at) => revocations.revokeSubject('alice', at),
  session: ({ revocations }, at) => revocations.revokeSession('session', at),
  use: ({ accessTokens }, at) => accessTokens.claim([aDigest('t')], [anId('api')], at),
};

describe('a revoked token', () => {
  // A client that repeats requests after a lost response must not undo a revocation.
  it.each(Object.entries(REVOCATIONS))(
    'that is sent again stays revoked (by %s), with the facts that it had',
    async (_, revoke) => {
      const { one, other, add, counts } = await withClient();
      const records = [aRecord('t', { token: COMPLETE })];
      await add(records);
      await revoke(one, NOW);
      expect(await one.accessTokens.find([aDigest('t')])).toBeUndefined();
      expect(await add(records, {}, other)).toEqual(['revoked']);
      expect(await add([aRecord('t', { token: COMPLETE, facts: aDigest('other') })])).toEqual([
        'other_facts',
      ]);
      expect(await counts()).toEqual({ access: 0, refresh: 0, imported: 1 });
    },
  );

  it.each(['client', 'subject', 'session'] as const)(
    'that is sent for the first time after a revocation by %s is not active, and one issued in that second or later is',
    async (kind) => {
      const { one, add } = await withClient();
      await REVOCATIONS[kind]?.(one, NOW);
      const issuedAt = (offset: number) =>
        aRecord(`at ${offset}`, { token: { ...COMPLETE, issuedAt: after(offset) } });
      const refresh = aRecord('refresh', { kind: 'refresh', token: COMPLETE });
      expect(await add([issuedAt(-1), issuedAt(0), issuedAt(1), refresh])).toEqual([
        'revoked',
        'stored',
        'stored',
        'revoked',
      ]);
      expect(await one.accessTokens.find([aDigest('at -1')])).toBeUndefined();
      expect(await one.accessTokens.find([aDigest('at 0')])).toBeDefined();
      expect(await add([issuedAt(-1)])).toEqual(['revoked']);
    },
  );

  it('stays known after its client was deleted and registered again', async () => {
    const { url, one, add } = await withClient();
    await add([aRecord('t')]);
    await query(url, `DELETE FROM client`);
    await one.clients.create(aClient());
    expect(await add([aRecord('t')])).toEqual(['revoked']);
  });
});

describe('a token with a session', () => {
  async function withSession() {
    const world = await withClient();
    await world.one.providerRecords.sessions.save(
      {
        id: 'session',
        cookieDigest: aDigest('cookie'),
        subject: 'alice',
        payload: {},
        expiresAt: after(900),
        clients: [{ clientId: 'client', sid: 'sid-at-client' }],
      },
      NOW,
    );
    const ofSession = (name: string, sessionId: string, subject?: string) =>
      aRecord(name, {
        token: anAccessToken({ issuedAt: NOW, sessionId, ...(subject !== undefined && { subject }) }),
      });
    return { ...world, ofSession };
  }

  it('ends with the session, named by either identifier', async () => {
    const { one, add, ofSession } = await withSession();
    const records = [ofSession('a', 'session', 'alice'), ofSession('b', 'sid-at-client', 'alice')];
    expect(await add(records)).toEqual(['stored', 'stored']);
    expect((await one.accessTokens.find([aDigest('a')]))?.sessionId).toBe('sid-at-client');
    await one.providerRecords.sessions.end('session', after(1));
    expect(await one.accessTokens.findMany([aDigest('a'), aDigest('b')])).toEqual([]);
    expect(await add([...records, ofSession('late', 'sid-at-client', 'alice')])).toEqual([
      'revoked',
      'revoked',
      'revoked',
    ]);
  });

  it('is refused for the session of another end-user, and accepted for one that is not known here', async () => {
    const { add, ofSession } = await withSession();
    expect(
      await add([
        ofSession('a', 'session', 'bob'),
        ofSession('b', 'sid-at-client', 'bob'),
        ofSession('c', 'elsewhere', 'bob'),
        ofSession('d', 'session'),
      ]),
    ).toEqual(['foreign_session', 'foreign_session', 'stored', 'stored']);
  });
});

describe('parallel calls', () => {
  it('store each token once, and refuse all but one of several versions of a token', async () => {
    const { one, other, add, counts } = await withClient();
    const names = Array.from({ length: 40 }, (_, index) => `token ${index}`);
    const same = await race([one, other], 40, (database, index) =>
      add(
        index % 2 === 0
          ? names.map((name) => aRecord(name))
          : names.toReversed().map((name) => aRecord(name)),
        { isAllOrNone: true },
        database,
      ),
    );
    expect(same.flat().filter((result) => result === 'stored')).toHaveLength(40);
    expect(same.flat().filter((result) => result === 'unchanged')).toHaveLength(40 * 39);
    const versions = await race([one, other], 40, (database, index) =>
      add([aRecord('contested', { facts: aDigest(`version ${index}`) })], {}, database),
    );
    expect(versions.flat().toSorted()).toEqual([...Array(39).fill('other_facts'), 'stored']);
    expect(await counts()).toEqual({ access: 41, refresh: 0, imported: 41 });
  });

  it('leave no token of a client that is deleted at the same time', async () => {
    const { url, one, other, add } = await withClient();
    for (let round = 0; round < 20; round += 1) {
      const id = `client ${round}`;
      await one.clients.create(aClient({ id: anId(id) }));
      const records = Array.from({ length: 50 }, (_, index) =>
        aRecord(`${id} ${index}`, { token: anAccessToken({ clientId: anId(id) }) }),
      );
      const [results] = await Promise.all([
        add(records, { isAllOrNone: true }, other),
        query(url, 'DELETE FROM client WHERE id = $1', [id]),
      ]);
      expect(new Set(results).size).toBe(1);
      expect(await query(url, 'SELECT FROM access_token WHERE client_id = $1', [id])).toEqual([]);
    }
  });
});
