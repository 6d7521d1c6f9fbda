import { describe, expect, it } from 'vitest';
import { importedTokenStore } from './imported-token-store.js';
import type { Database } from './open-database.js';
import { revocationStore } from './revocation-store.js';
import { aClient, aDigest, after, anAccessToken, anId, aSession, NOW } from './testing/fixtures.js';
import { heldTransaction, untilWaitingOrDone } from './testing/held-transaction.js';
import { AUTHOR, anUnknownToken, aRecord, COMPLETE, withClient } from './testing/import-fixture.js';
import { query } from './testing/test-database.js';

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
    'that is sent for the first time after a revocation by %s is not active, unless it was issued in a later second',
    async (kind) => {
      const { one, add } = await withClient();
      await REVOCATIONS[kind]?.(one, NOW);
      const issuedAt = (offset: number) =>
        aRecord(`at ${offset}`, { token: { ...COMPLETE, issuedAt: after(offset) } });
      const refresh = aRecord('refresh', { kind: 'refresh', token: COMPLETE });
      const now = after(1);
      expect(await add([issuedAt(-1), issuedAt(0), issuedAt(1), refresh], { now })).toEqual([
        'revoked',
        'revoked',
        'stored',
        'revoked',
      ]);
      expect(await one.accessTokens.find([aDigest('at 0')])).toBeUndefined();
      expect(await one.accessTokens.find([aDigest('at 1')])).toBeDefined();
      expect(await add([issuedAt(0)], { now })).toEqual(['revoked']);
    },
  );

  // The clock of the server that issued the token is ahead.
  it.each(['client', 'subject', 'session'] as const)(
    'that is sent in the second of a revocation by %s is not active, though it is dated later',
    async (kind) => {
      const { one, add } = await withClient();
      await REVOCATIONS[kind]?.(one, NOW);
      const record = aRecord('ahead', { token: { ...COMPLETE, issuedAt: after(20) } });
      expect(await add([record])).toEqual(['revoked']);
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

describe('a token that is revoked before it is known', () => {
  it.each(['access', 'refresh'] as const)('is not stored by a later import (%s)', async (kind) => {
    const { one, add, counts } = await withClient();
    expect(await one.revocations.revokeUnknown(anUnknownToken('t', 'other'), NOW)).toBe(true);
    const records = [aRecord('t', { kind }), aRecord('another', { kind })];
    expect(await add(records)).toEqual(['revoked', 'stored']);
    expect(await add([aRecord('t', { kind, facts: aDigest('other facts') })])).toEqual(['revoked']);
    expect(await counts()).toMatchObject({ access: kind === 'access' ? 1 : 0, imported: 3 });
  });

  it('has one row until it expires, and under other digest keys as long as imports may be stored under them', async () => {
    const { url, one } = await withClient();
    const expiries = async () => {
      const rows = await query<{ digest: Buffer; left: number }>(
        url,
        `SELECT digest, extract(epoch FROM expires_at)::int - ${NOW} AS left FROM imported_token`,
      );
      const leftOf = (name: string) => rows.find(({ digest }) => digest.equals(aDigest(name)))?.left;
      return [leftOf('current'), leftOf('former')];
    };
    const token = anUnknownToken('current', 'former');
    const revoke = (lifetime: number) =>
      one.revocations.revokeUnknown({ ...token, expiresAt: after(lifetime) }, NOW);
    await revoke(30);
    expect(await expiries()).toEqual([30, 30]);
    await revoke(600);
    expect(await expiries()).toEqual([600, 120]);
    expect(await revoke(60)).toBe(true);
    expect(await expiries()).toEqual([600, 120]);
    await one.cleanUp({ now: after(300) });
    expect(await expiries()).toEqual([600, undefined]);
  });

  it('counts as known if it was imported, also under an earlier digest key', async () => {
    const { one, add, counts } = await withClient();
    await add([aRecord('t')]);
    expect(await one.revocations.revokeUnknown(anUnknownToken('under the new key', 't'), NOW)).toBe(false);
    expect(await counts()).toMatchObject({ access: 1, imported: 1 });
  });

  it('counts as known if its import is not committed yet', async () => {
    const { url, one } = await withClient();
    const held = await heldTransaction(url);
    const { add } = importedTokenStore(held.run, AUTHOR);
    expect(await add([aRecord('t')], { isAllOrNone: true, now: NOW })).toEqual(['stored']);
    const token = anUnknownToken('t', 'under another key');
    const revoked = await untilWaitingOrDone(url, () => one.revocations.revokeUnknown(token, NOW));
    await held.commit();
    expect(await revoked.result).toBe(false);
    expect(await one.revocations.revokeAccessToken(token.digests.flat())).toBe(true);
  });

  it('is not stored by an import that began before the revocation was committed', async () => {
    const { url, one, add } = await withClient();
    const held = await heldTransaction(url);
    await revocationStore(held.run).revokeUnknown(anUnknownToken('under another key', 't'), NOW);
    const imported = await untilWaitingOrDone(url, () => add([aRecord('t')]));
    await held.commit();
    expect(await imported.result).toEqual(['revoked']);
    expect(await one.accessTokens.find([aDigest('t')])).toBeUndefined();
  });

  it('is recorded once', async () => {
    const { url, one } = await withClient();
    const { revocations } = one.actingAs(AUTHOR);
    for (let times = 0; times < 2; times += 1) await revocations.revokeUnknown(anUnknownToken('t'), NOW);
    const target = `imported_token:${Buffer.from(aDigest('t')).toString('hex').slice(0, 8)}`;
    expect(
      await query(url, `SELECT actor, action, target FROM audit_event WHERE action = 'token.revoked'`),
    ).toEqual([{ actor: 'master', action: 'token.revoked', target }]);
  });
});

describe('a token that may have been imported under a retired digest key', () => {
  const key = (id: string, state: string, activated: number | undefined) =>
    [
      `INSERT INTO data_key (id, purpose, state, wrapped, key_encryption_key_id, created_at, activated_at)
       VALUES ($1, 'digest', $2::key_state, '', '', to_timestamp($3), to_timestamp($4))`,
      [id, state, NOW - 9_000, activated === undefined ? null : NOW + activated],
    ] as const;

  it('stays inactive, because its revocation may be forgotten', async () => {
    const { url, one, add } = await withClient();
    const keys = [key('a', 'retired', -8_000), key('b', 'pending', -4_000), key('c', 'active', -2_000)];
    for (const [text, values] of keys) await query(url, text, [...values]);
    const issuedAt = (offset: number) =>
      aRecord(`at ${offset}`, { token: anAccessToken({ issuedAt: after(offset) }) });
    // Within 90 seconds after the successor became active, a process may have imported it under the retired key.
    expect(await add([issuedAt(-4_001), issuedAt(-3_910), issuedAt(-3_909), issuedAt(0)])).toEqual([
      'revoked',
      'revoked',
      'stored',
      'stored',
    ]);
    expect(await one.accessTokens.findMany([aDigest('at -4001'), aDigest('at -3910')])).toEqual([]);
    await query(url, `UPDATE data_key SET state = 'retired' WHERE id = 'b'`);
    expect(await add([issuedAt(-1_910), issuedAt(-3_909), issuedAt(-1_909)])).toEqual([
      'revoked',
      'unchanged',
      'stored',
    ]);
  });

  it('is only one that was issued while a key that is retired now was in use', async () => {
    const { url, add } = await withClient();
    const keys = [key('a', 'active', -8_000), key('b', 'retired', undefined), key('c', 'pending', undefined)];
    for (const [text, values] of keys) await query(url, text, [...values]);
    expect(await add([aRecord('t')])).toEqual(['stored']);
  });
});

describe('a token with a session', () => {
  async function withSession() {
    const world = await withClient();
    await world.one.providerRecords.sessions.save(
      aSession({ clients: [{ clientId: 'client', sid: 'sid-at-client' }] }),
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
    // The server that issued it has not learned of the end.
    const unaware = aRecord('unaware', {
      token: anAccessToken({ issuedAt: after(60), sessionId: 'session' }),
    });
    expect(await add([unaware], { now: after(60) })).toEqual(['revoked']);
  });

  it('is not active once its client has left the session, whichever identifier it has and whenever it was issued', async () => {
    const { one, add, ofSession } = await withSession();
    await one.clients.create(aClient({ id: anId('other') }));
    await one.logoutSessions.leave({ id: 'session', subject: 'alice' }, anId('client'), NOW);
    const late = (name: string, sessionId: string, clientId = 'client') =>
      aRecord(name, {
        token: anAccessToken({ clientId: anId(clientId), subject: 'alice', issuedAt: after(60), sessionId }),
      });
    const records = [
      ofSession('a', 'session', 'alice'),
      ofSession('b', 'sid-at-client', 'alice'),
      late('c', 'session'),
      late('d', 'sid-at-client'),
      late('e', 'session', 'other'),
    ];
    const outcomes = ['revoked', 'revoked', 'revoked', 'revoked', 'stored'];
    expect(await add(records, { now: after(60) })).toEqual(outcomes);
    expect((await one.accessTokens.findMany(['a', 'b', 'c', 'd'].map(aDigest))).length).toBe(0);
  });

  it('is active after its client has entered the session again, unless it was issued before it left', async () => {
    const { one, add } = await withSession();
    await one.logoutSessions.leave({ id: 'session', subject: 'alice' }, anId('client'), NOW);
    await one.providerRecords.sessions.save(
      aSession({ clients: [{ clientId: 'client', sid: 'second-sid' }] }),
      after(1),
    );
    const issuedAt = (name: string, offset: number) =>
      aRecord(name, {
        token: anAccessToken({ subject: 'alice', issuedAt: after(offset), sessionId: 'session' }),
      });
    const records = [issuedAt('before', 0), issuedAt('after', 1)];
    expect(await add(records, { now: after(2) })).toEqual(['revoked', 'stored']);
    expect((await one.accessTokens.find([aDigest('after')]))?.sessionId).toBe('second-sid');
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
