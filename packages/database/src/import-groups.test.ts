import type { EpochSeconds } from '@vestibule/protocol';
import type { ImportedTokenRecord } from '@vestibule/tokens/importing';
import { describe, expect, it } from 'vitest';
import { importedTokenStore } from './imported-token-store.js';
import { revocationStore } from './revocation-store.js';
import type { RunStatement } from './statement.js';
import { aClient, aDigest, after, anAccessToken, anId, NOW, race } from './testing/fixtures.js';
import { heldTransaction, statementsOf, untilWaitingOrDone } from './testing/held-transaction.js';
import { AUTHOR, anUnknownToken, aRecord, withClient } from './testing/import-fixture.js';
import { countRows, query } from './testing/test-database.js';

const ALL_OR_NONE = { isAllOrNone: true, now: NOW };

/** More records than one transaction stores, each of an end-user and session of its own. */
function manyRecords(prefix = 'token', count = 120): readonly ImportedTokenRecord[] {
  return Array.from({ length: count }, (_, index) =>
    aRecord(`${prefix} ${index}`, {
      kind: index % 6 === 0 ? 'refresh' : 'access',
      token: anAccessToken({
        subject: `end-user ${index}`,
        sessionId: `session ${index}`,
        issuedAt: after(-60),
      }),
    }),
  );
}

const countsOf = (results: readonly string[]) =>
  Object.fromEntries(
    [...new Set(results)].map((result) => [result, results.filter((r) => r === result).length]),
  );

const pendingRows = async (url: string) =>
  (await query(url, 'SELECT FROM imported_token WHERE is_pending')).length;

/** The locks of names that are held. */
const nameLocks = async (url: string) =>
  (
    await query<{ lock: number }>(
      url,
      `SELECT objid::int AS lock FROM pg_locks JOIN pg_database ON database = pg_database.oid
       WHERE locktype = 'advisory' AND datname = current_database()`,
    )
  ).map(({ lock }) => lock);

/** Statements of a process that is killed after some of them. */
function killedAfter(run: RunStatement, statements: number): RunStatement {
  let left = statements;
  return async (...args) => {
    if (left === 0) throw new Error('killed');
    left -= 1;
    return run(...args);
  };
}

/** Statements, with something that happens after the first one. */
function afterFirst(run: RunStatement, happen: () => Promise<unknown>): RunStatement {
  let isFirst = true;
  return async (...args) => {
    const result = await run<never>(...args);
    if (isFirst) await happen();
    isFirst = false;
    return result;
  };
}

describe('the locks of an import', () => {
  it('are few, and make no revocation of other names wait', async () => {
    const { url } = await withClient();
    const held = await heldTransaction(url);
    await importedTokenStore(held.run, AUTHOR).add(manyRecords('held', 100), ALL_OR_NONE);
    expect((await nameLocks(url)).length).toBeLessThanOrEqual(501);
    const run = await statementsOf(url);
    const revoked = await untilWaitingOrDone(url, async () => {
      for (let index = 0; index < 100; index += 1) {
        await revocationStore(run).revokeSubject(`another ${index}`, NOW);
        await revocationStore(run).revokeSession(`another ${index}`, NOW);
      }
    });
    expect(revoked.isWaiting).toBe(false);
    await revoked.result;
  });

  it('are those of one group', async () => {
    const { url } = await withClient();
    const run = await statementsOf(url);
    const sizes: number[] = [];
    const counting: RunStatement = (statement, values) => {
      if (statement.name === 'imported-tokens-add') sizes.push(JSON.parse(String(values[0])).length);
      return run(statement, values);
    };
    const { add } = importedTokenStore(counting, AUTHOR);
    await add(manyRecords('lines'), { ...ALL_OR_NONE, isAllOrNone: false });
    expect(sizes).toEqual([60, 60]);
    await add(manyRecords('list'), ALL_OR_NONE);
    // All are reserved first.
    expect(sizes.slice(2)).toEqual([120, 60, 60]);
    const held = await heldTransaction(url);
    await expect(
      importedTokenStore(killedAfter(held.run, 1), AUTHOR).add(manyRecords('reserved'), ALL_OR_NONE),
    ).rejects.toThrow('killed');
    expect(await nameLocks(url)).toEqual([]);
  });

  it('do not include the row of the client, whose use is recorded afterwards', async () => {
    const { url, one, add } = await withClient();
    const held = await heldTransaction(url);
    const use = { name: 'use', text: 'SELECT FROM client FOR NO KEY UPDATE', repeatable: false };
    await held.run(use, []);
    const imported = await untilWaitingOrDone(url, () => add([aRecord('t')]));
    expect(imported.isWaiting).toBe(true);
    expect(await one.accessTokens.find([aDigest('t')])).toBeDefined();
    await held.commit();
    expect(await imported.result).toEqual(['stored']);
    expect(await query(url, 'SELECT extract(epoch FROM last_used_at)::int AS at FROM client')).toEqual([
      { at: NOW },
    ]);
  });

  it('are those of all names for a revocation of very many, which imports wait for too', async () => {
    const { url, add } = await withClient();
    const names = Array.from({ length: 600 }, (_, index) => `session ${index}`);
    const held = await heldTransaction(url);
    const many = { name: 'many', text: `SELECT vestibule_revoke_tokens('session', $1)`, repeatable: false };
    expect((await held.run(many, [names])).rowCount).toBe(600);
    expect(await nameLocks(url)).toEqual([0]);
    const imported = await untilWaitingOrDone(url, () => add(manyRecords('t', 1)));
    expect(imported.isWaiting).toBe(true);
    await held.commit();
    await imported.result;
  });
});

describe('an import of all or none in several transactions', () => {
  it('stores all tokens, or nothing if one is refused, and records one event', async () => {
    const { url, add, counts } = await withClient();
    const unknown = aRecord('unknown', { token: anAccessToken({ clientId: anId('unknown-id') }) });
    const refused = await add([...manyRecords(), unknown], ALL_OR_NONE);
    expect(countsOf(refused)).toEqual({ stored: 120, unknown_client: 1 });
    expect(await counts()).toEqual({ access: 0, refresh: 0, imported: 0 });
    expect(countsOf(await add(manyRecords(), ALL_OR_NONE))).toEqual({ stored: 120 });
    expect(countsOf(await add(manyRecords(), ALL_OR_NONE))).toEqual({ unchanged: 120 });
    expect(await counts()).toEqual({ access: 100, refresh: 20, imported: 120 });
    expect(await pendingRows(url)).toBe(0);
    expect(await query(url, `SELECT details FROM audit_event WHERE action = 'tokens.imported'`)).toEqual([
      { details: { access_tokens: 100, refresh_tokens: 20 } },
    ]);
  });

  it.each([true, false])(
    'that was interrupted is completed when it is sent again (all or none: %s)',
    async (isAllOrNone) => {
      const { url, one, add, counts } = await withClient();
      const run = killedAfter(await statementsOf(url), 2);
      await expect(importedTokenStore(run, AUTHOR).add(manyRecords(), ALL_OR_NONE)).rejects.toThrow('killed');
      expect(await counts()).toEqual({ access: 50, refresh: 10, imported: 120 });
      expect(await pendingRows(url)).toBe(60);
      expect(await one.accessTokens.find([aDigest('token 119')])).toBeUndefined();
      const again = await add(manyRecords(), { isAllOrNone });
      expect(countsOf(again)).toEqual({ unchanged: 60, stored: 60 });
      expect(await one.accessTokens.find([aDigest('token 119')])).toBeDefined();
      expect(await pendingRows(url)).toBe(0);
      const events = await query(url, `SELECT FROM audit_event WHERE action = 'tokens.imported'`);
      expect(events).toHaveLength(1);
    },
  );

  it('keeps other values for a token out while it is interrupted', async () => {
    const { url, add } = await withClient();
    const run = killedAfter(await statementsOf(url), 1);
    await expect(importedTokenStore(run, AUTHOR).add(manyRecords(), ALL_OR_NONE)).rejects.toThrow('killed');
    const other = aRecord('token 1', { facts: aDigest('other facts') });
    expect(await add([other])).toEqual(['other_facts']);
    expect(await add([...manyRecords('new'), other], ALL_OR_NONE)).toContain('other_facts');
    expect(await countRows(url, 'access_token')).toBe(0);
  });

  /** What happens between the reservation and the storing of tokens, and what becomes of the token 119. */
  const EVENTS: Readonly<Record<string, (run: RunStatement, now: EpochSeconds) => Promise<unknown>>> = {
    'the token': (run, now) => revocationStore(run).revokeUnknown(anUnknownToken('token 119'), now),
    'the token, under a later digest key': (run, now) =>
      revocationStore(run).revokeUnknown(anUnknownToken('later', 'token 119'), now),
    'its end-user': (run, now) => revocationStore(run).revokeSubject('end-user 119', now),
    'its session': (run, now) => revocationStore(run).revokeSession('session 119', now),
    'its client': (run, now) => revocationStore(run).revokeClient(anId('client'), now),
    'deletion of its client': (run) =>
      run({ name: 'delete', text: 'DELETE FROM client', repeatable: false }, []),
  };

  it.each(Object.entries(EVENTS))('is ended by a revocation meanwhile: %s', async (_, revoke) => {
    const { url, one, add } = await withClient();
    const [run, others] = [await statementsOf(url), await statementsOf(url)];
    const meanwhile = afterFirst(run, () => revoke(others, NOW));
    const results = await importedTokenStore(meanwhile, AUTHOR).add(manyRecords(), ALL_OR_NONE);
    expect(results[119]).toBe('revoked');
    expect(await one.accessTokens.find([aDigest('token 119')])).toBeUndefined();
    await query(url, `DELETE FROM client`);
    await one.clients.create(aClient());
    expect((await add(manyRecords()))[119]).toBe('revoked');
    expect(await pendingRows(url)).toBe(0);
  });

  it('stores the tokens of a client that is suspended meanwhile, for the time when it is active again', async () => {
    const { url } = await withClient();
    const suspend = () => query(url, `UPDATE client SET status = 'suspended'`);
    const run = afterFirst(await statementsOf(url), suspend);
    const results = await importedTokenStore(run, AUTHOR).add(manyRecords(), ALL_OR_NONE);
    expect(countsOf(results)).toEqual({ stored: 120 });
  });

  it('waits for a parallel one that is storing the same tokens', async () => {
    const { url, add } = await withClient();
    const run = killedAfter(await statementsOf(url), 1);
    await expect(importedTokenStore(run, AUTHOR).add(manyRecords(), ALL_OR_NONE)).rejects.toThrow('killed');
    const held = await heldTransaction(url);
    await importedTokenStore(held.run, AUTHOR).add(manyRecords(), ALL_OR_NONE);
    const parallel = await untilWaitingOrDone(url, () => add(manyRecords(), ALL_OR_NONE));
    expect(parallel.isWaiting).toBe(true);
    await held.commit();
    expect(countsOf(await parallel.result)).toEqual({ unchanged: 120 });
    expect(await countRows(url, 'access_token')).toBe(100);
  });

  it.each([1, 120])('fails and refuses nothing if some of its tokens are stored (%i)', async (count) => {
    const { url, one, add } = await withClient();
    await one.clients.create(aClient({ id: anId('other') }));
    const last = aRecord('last', { token: anAccessToken({ clientId: anId('other'), issuedAt: after(-60) }) });
    const run = killedAfter(await statementsOf(url), 1);
    const reserving = importedTokenStore(run, AUTHOR).add([...manyRecords(), last], ALL_OR_NONE);
    await expect(reserving).rejects.toThrow('killed');
    const held = await heldTransaction(url);
    expect(await importedTokenStore(held.run, AUTHOR).add([last], ALL_OR_NONE)).toEqual(['stored']);
    const end = { name: 'delete', text: `DELETE FROM client WHERE id = 'other'`, repeatable: false };
    await held.run(end, []);
    const records = [...manyRecords('token', count), last];
    const parallel = await untilWaitingOrDone(url, () => add(records, ALL_OR_NONE));
    expect(parallel.isWaiting).toBe(true);
    await held.commit();
    await expect(parallel.result).rejects.toThrow('other statements');
    expect(countsOf(await add(records, ALL_OR_NONE))).toEqual({ unchanged: count, unknown_client: 1 });
  });

  it('stores each token once in parallel, and one of the requests that differ in a token', async () => {
    const { url, one, other, add } = await withClient();
    const same = await race([one, other], 6, (database) => add(manyRecords('same'), ALL_OR_NONE, database));
    expect(countsOf(same.flat())).toEqual({ stored: 120, unchanged: 5 * 120 });
    const different = await race([one, other], 6, async (database, index) => {
      const contested = aRecord('contested', { facts: aDigest(`version ${index}`) });
      const records = [...manyRecords(`request ${index}`), contested];
      const isStored = !(await add(records, ALL_OR_NONE, database)).includes('other_facts');
      return { isStored, digests: records.slice(0, 120).map(({ digests: [digest] }) => digest) };
    });
    expect(different.filter(({ isStored }) => isStored)).toHaveLength(1);
    for (const { isStored, digests } of different) {
      const rows = await query(url, 'SELECT FROM imported_token WHERE digest = ANY($1)', [digests]);
      expect(rows).toHaveLength(isStored ? 120 : 0);
    }
  });
});
