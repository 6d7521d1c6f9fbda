import { describe, expect, it } from 'vitest';
import { aClient, aDigest, after, anAccessToken, anId, NOW, race } from './testing/fixtures.js';
import { aRecord, COMPLETE, withClient } from './testing/import-fixture.js';
import { query } from './testing/test-database.js';

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
    await add([aRecord('t', { digests: [aDigest('earlier key')], facts })]);
    const again = { digests: [aDigest('new key'), aDigest('earlier key')] as const, facts };
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
