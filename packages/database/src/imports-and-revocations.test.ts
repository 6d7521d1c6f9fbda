import type { AccessToken } from '@vestibule/tokens';
import type { ImportedTokenKind, ImportedTokenRecord } from '@vestibule/tokens/importing';
import { describe, expect, it } from 'vitest';
import { clientRepository } from './client-repository.js';
import { importedTokenStore } from './imported-token-store.js';
import { logoutSessions } from './logout/logout-sessions.js';
import { sessionRecords } from './provider/session-records.js';
import { revocationStore } from './revocation-store.js';
import type { RunStatement } from './statement.js';
import { aClient, aDigest, after, anAccessToken, anId, aSession, NOW, race } from './testing/fixtures.js';
import { heldTransaction, statementsOf, untilWaitingOrDone } from './testing/held-transaction.js';
import { AUTHOR, anUnknownToken, aRecord, withClient } from './testing/import-fixture.js';
import { countRows, query } from './testing/test-database.js';

const KINDS: readonly ImportedTokenKind[] = ['access', 'refresh'];

function importOf(
  name: string,
  kind: ImportedTokenKind,
  token: Partial<AccessToken> = {},
): ImportedTokenRecord {
  return aRecord(name, { kind, token: anAccessToken({ subject: 'alice', issuedAt: after(-60), ...token }) });
}

/** Imports a token of each kind. */
function importBoth(run: RunStatement, token: Partial<AccessToken>) {
  const records = KINDS.map((kind) => importOf(kind, kind, token));
  return importedTokenStore(run, AUTHOR).add(records, { isAllOrNone: false, now: NOW });
}

/** A client, and a live session `session` of `alice` that the client knows as `sid`. */
async function createFixture() {
  const { add: addRecords, ...processes } = await withClient();
  await processes.one.providerRecords.sessions.save(aSession(), NOW);
  const add = (token: Partial<AccessToken>) => addRecords(KINDS.map((kind) => importOf(kind, kind, token)));
  return { ...processes, add, addRecords };
}

interface Revocation {
  readonly revoke: (run: RunStatement) => Promise<unknown>;
  /** What the token says about its session. */
  readonly sessionId?: string;
}

const SESSION = { id: 'session', subject: 'alice' };

const REVOCATIONS: Readonly<Record<string, Revocation>> = {
  client: { revoke: (run) => revocationStore(run).revokeClient(anId('client'), NOW) },
  'end-user': { revoke: (run) => revocationStore(run).revokeSubject('alice', NOW) },
  'session elsewhere': {
    revoke: (run) => revocationStore(run).revokeSession('elsewhere', NOW),
    sessionId: 'elsewhere',
  },
  session: { revoke: (run) => revocationStore(run).revokeSession('session', NOW), sessionId: 'session' },
  'sid of a client': {
    revoke: (run) => revocationStore(run).revokeSession('sid', NOW),
    sessionId: 'session',
  },
  'end of the session': { revoke: (run) => sessionRecords(run).end('sid', NOW), sessionId: 'session' },
  'end of the session, by the sid': {
    revoke: (run) => sessionRecords(run).end('session', NOW),
    sessionId: 'sid',
  },
  'end of all sessions': {
    revoke: (run) => sessionRecords(run).endOfSubject('alice', NOW),
    sessionId: 'sid',
  },
  logout: { revoke: (run) => logoutSessions(run).end(SESSION, NOW), sessionId: 'session' },
  'declined logout': {
    revoke: (run) => logoutSessions(run).leave(SESSION, anId('client'), NOW),
    sessionId: 'session',
  },
  'declined logout, by the sid': {
    revoke: (run) => logoutSessions(run).leave(SESSION, anId('client'), NOW),
    sessionId: 'sid',
  },
};

describe.each(Object.entries(REVOCATIONS))('a revocation by %s', (_, { revoke, sessionId }) => {
  const token = sessionId === undefined ? {} : { sessionId };

  it('that is not committed yet covers a token that is imported meanwhile', async () => {
    const { url, add, counts } = await createFixture();
    const held = await heldTransaction(url);
    await revoke(held.run);
    const imported = await untilWaitingOrDone(url, () => add(token));
    await held.commit();
    expect(await imported.result).toEqual(['revoked', 'revoked']);
    expect(await counts()).toMatchObject({ access: 0, refresh: 0 });
    expect(imported.isWaiting).toBe(true);
  });

  it('covers a token whose import is not committed yet', async () => {
    const { url, one, add, counts } = await createFixture();
    const held = await heldTransaction(url);
    expect(await importBoth(held.run, token)).toEqual(['stored', 'stored']);
    const run = await statementsOf(url);
    const revoked = await untilWaitingOrDone(url, () => revoke(run));
    await held.commit();
    await revoked.result;
    expect(await one.accessTokens.find([aDigest('access')])).toBeUndefined();
    expect(await counts()).toMatchObject({ access: 0, refresh: 0 });
    expect(await add(token)).toEqual(['revoked', 'revoked']);
  });

  it('that is broken off has no effect on the import that waits for it', async () => {
    const { url, add } = await createFixture();
    const held = await heldTransaction(url);
    await revoke(held.run);
    const imported = await untilWaitingOrDone(url, () => add(token));
    await held.breakOff();
    expect(await imported.result).toEqual(['stored', 'stored']);
  });

  it('leaves tokens of other clients, end-users and sessions to be imported meanwhile', async () => {
    const { url, one, addRecords } = await createFixture();
    await one.clients.create(aClient({ id: anId('other') }));
    const held = await heldTransaction(url);
    await revoke(held.run);
    const others = { clientId: anId('other'), subject: 'bob', sessionId: 'another' };
    expect(await addRecords([importOf('other', 'access', others)])).toEqual(['stored']);
    await held.commit();
    expect(await one.accessTokens.find([aDigest('other')])).toBeDefined();
  });
});

describe('the deletion of a client', () => {
  const remove = (run: RunStatement) => clientRepository(run).delete(anId('client'), NOW);

  it('that is not committed yet covers its tokens, also if the client is registered again', async () => {
    const { url, add, counts } = await createFixture();
    const held = await heldTransaction(url);
    await remove(held.run);
    const imported = await untilWaitingOrDone(url, () => add({}));
    await clientRepository(held.run).create(aClient());
    await held.commit();
    expect(await imported.result).toEqual(['revoked', 'revoked']);
    expect(await counts()).toMatchObject({ access: 0, refresh: 0 });
  });

  it('deletes a token whose import is not committed yet', async () => {
    const { url, counts } = await createFixture();
    const held = await heldTransaction(url);
    await importBoth(held.run, {});
    const run = await statementsOf(url);
    const removed = await untilWaitingOrDone(url, () => remove(run));
    await held.commit();
    await removed.result;
    expect(await counts()).toMatchObject({ access: 0, refresh: 0 });
  });
});

describe('a client that is deleted and registered again', () => {
  it('does not get the tokens of its predecessor whose import had begun', async () => {
    const { url, one, add, counts } = await createFixture();
    const held = await heldTransaction(url);
    // The import has read its cut-offs when it waits for this row.
    await revocationStore(held.run).revokeUnknown(anUnknownToken('access'), NOW);
    const imported = await untilWaitingOrDone(url, () => add({}));
    const replace = async () => {
      await one.clients.delete(anId('client'), NOW);
      await one.clients.create(aClient());
    };
    const replaced = await untilWaitingOrDone(url, replace, 1);
    await held.breakOff();
    await imported.result;
    await replaced.result;
    expect(await counts()).toMatchObject({ access: 0, refresh: 0 });
  });
});

describe('an import of many tokens', () => {
  it('at the time of many revocations leaves none of their tokens, without a deadlock', async () => {
    const { url, one, other, addRecords } = await createFixture();
    for (const id of ['a', 'b', 'c']) await one.clients.create(aClient({ id: anId(id) }));
    const subject = (index: number) => `subject ${index % 60}`;
    const nameOf = (index: number, each: number) => `${index} ${each}`;
    const records = (index: number) =>
      Array.from({ length: 60 }, (_, each) =>
        importOf(nameOf(index, each), each % 5 === 0 ? 'refresh' : 'access', {
          clientId: anId(['a', 'b', 'c'][each % 3] ?? ''),
          subject: subject(each * 7),
          sessionId: `session of ${subject(each * 7)}`,
        }),
      );
    await race([one, other], 120, async (database, index) => {
      if (index % 3 === 0) await addRecords(records(index), {}, database);
      else if (index % 3 === 1) await database.revocations.revokeSubject(subject(index), NOW);
      else await database.revocations.revokeSession(`session of ${subject(index)}`, NOW);
    });
    for (const table of ['access_token', 'refresh_token'])
      expect(
        await query(
          url,
          `SELECT subject FROM ${table} JOIN revocation_cutoff
             ON (kind = 'subject' AND value = subject) OR (kind = 'session' AND value = session_id)`,
        ),
        table,
      ).toEqual([]);
    expect(await countRows(url, 'access_token')).toBeGreaterThan(0);
    expect(one.counters.retries + other.counters.retries).toBe(0);
  });
});
