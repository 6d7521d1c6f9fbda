import { randomBytes } from 'node:crypto';
import { secureRandom } from '@vestibule/crypto';
import {
  activateDataKey,
  addDataKey,
  type KeyEncryptionKeys,
  openDataKeys,
  parseKeyEncryptionKeys,
  rewrapDataKeys,
} from '@vestibule/crypto/data-keys';
import { foreignSql } from '@vestibule/local-services/testing';
import { issueIdentifierToken } from '@vestibule/tokens/issuing';
import { expect, it, vi } from 'vitest';
import { aTimedService } from '../support/cached-instance.js';
import { activeMembers, basic, call, INACTIVE } from '../support/introspection-call.js';
import { aSteppedInstance } from '../support/stepped-instance.js';
import { aGrant, SECRET } from '../support/test-service.js';

const UNKNOWN = 'u'.repeat(43);

/** An instance with a cached token that then reads a pending digest key which it cannot open. */
async function createFixtureWithForeignKey() {
  const service = await aTimedService();
  const { database, clock } = service;
  const own = service.keys.keyEncryptionKeys;
  const foreign = parseKeyEncryptionKeys(randomBytes(32).toString('base64url'));
  /** The key-encryption keys of a process that has the foreign key too. */
  const both: KeyEncryptionKeys = {
    ...own,
    unwrap: (wrapped, id, context) => (id === own.activeId ? own : foreign).unwrap(wrapped, id, context),
  };
  const rotation = { store: database.dataKeys, clock, random: secureRandom };
  const cached = await service.identifier();
  const instance = await aSteppedInstance(service);
  const introspect = (token: string) => call(instance.app, { token });
  const claim = (token: string) => call(instance.app, { token, revoke: 'true' });
  activeMembers(await introspect(cached));
  /** Waits until the instance has read the keys after a change. */
  const afterReading = async (change: () => Promise<unknown>) => {
    const { keyReadings } = instance;
    await change();
    await instance.pass(0);
    await vi.waitFor(() => expect(instance.keyReadings).toBeGreaterThan(keyReadings), 60_000);
  };
  let keyId = '';
  await afterReading(async () => {
    keyId = (await addDataKey({ ...rotation, keyEncryptionKeys: foreign }, 'digest')).id;
  });
  /** The digester of an instance that has the foreign key and uses it. */
  const digesterUnderIt = async () => {
    clock.advanceSeconds(60);
    await afterReading(() => activateDataKey({ ...rotation, keyEncryptionKeys: both }, keyId));
    return (await openDataKeys({ ...rotation, keyEncryptionKeys: both })).digester;
  };
  const tokensUnderIt = async () => {
    const digester = await digesterUnderIt();
    const issue = async () =>
      (await issueIdentifierToken({ ...service.issuing, digester }, aGrant())).accessToken;
    return [await issue(), await issue()] as const;
  };
  return {
    service,
    instance,
    keyId,
    cached,
    introspect,
    claim,
    afterReading,
    digesterUnderIt,
    tokensUnderIt,
    rewrap: () => rewrapDataKeys({ ...rotation, keyEncryptionKeys: both }),
    sql: await foreignSql(service.databaseUrl),
  };
}

async function expectFaults(
  { introspect, claim }: Awaited<ReturnType<typeof createFixtureWithForeignKey>>,
  token: string,
) {
  expect([(await introspect(token)).status, (await claim(token)).status]).toEqual([500, 500]);
}

it('responds as usual for tokens under its keys, and does not report other texts as inactive', async () => {
  const fixture = await createFixtureWithForeignKey();
  const { service, instance, keyId, cached, introspect, claim } = fixture;
  const unasked = await service.identifier();
  const forOthers = await service.identifier({ audience: ['rs2'] });
  for (const elapsedMs of [0, 10_000]) {
    await instance.pass(elapsedMs);
    for (const token of [cached, unasked]) activeMembers(await introspect(token));
    for (const response of [await introspect(forOthers), await claim(forOthers)])
      expect(response).toEqual(INACTIVE);
    activeMembers(await claim(await service.identifier()));
    await expectFaults(fixture, UNKNOWN);
  }
  expect(instance.store.unopenedDataKeys()).toEqual([{ id: keyId, purpose: 'digest', state: 'pending' }]);
});

it('does not report a cached token as active when it was deleted under a key that it has', async () => {
  const { instance, cached, introspect, sql } = await createFixtureWithForeignKey();
  await instance.loseInvalidations();
  await sql('DELETE FROM access_token');
  // The store is not waited for if it is slow.
  await vi.waitFor(async () => expect((await introspect(cached)).status).toBe(500), 60_000);
});

it('finds every token once the key is wrapped with a key-encryption key that it has', async () => {
  const fixture = await createFixtureWithForeignKey();
  const { instance, cached, introspect, claim, afterReading, tokensUnderIt, rewrap } = fixture;
  const [requested, claimed] = await tokensUnderIt();
  await instance.pass(0);
  for (const token of [requested, claimed]) await expectFaults(fixture, token);
  activeMembers(await introspect(cached));
  await afterReading(rewrap);
  activeMembers(await introspect(requested));
  activeMembers(await claim(claimed));
  activeMembers(await introspect(cached));
  for (const response of [await introspect(UNKNOWN), await claim(UNKNOWN)])
    expect(response).toEqual(INACTIVE);
  expect(instance.store.unopenedDataKeys()).toEqual([]);
});

it.each([
  ['deleted', 'DELETE FROM data_key WHERE id = $1'],
  ['retired', `UPDATE data_key SET state = 'retired' WHERE id = $1`],
])('reports other tokens as inactive again once the key is %s', async (_change, statement) => {
  const fixture = await createFixtureWithForeignKey();
  const { keyId, cached, introspect, claim, afterReading, sql } = fixture;
  await expectFaults(fixture, UNKNOWN);
  await afterReading(() => sql(statement, [keyId]));
  for (const response of [await introspect(UNKNOWN), await claim(UNKNOWN)])
    expect(response).toEqual(INACTIVE);
  activeMembers(await introspect(cached));
});

it('refuses no secret that may be under the key, does not reveal which clients exist, and accepts secrets under its keys', async () => {
  const fixture = await createFixtureWithForeignKey();
  const { service, instance, cached, digesterUnderIt, afterReading, rewrap } = fixture;
  const digester = await digesterUnderIt();
  await service.register(
    'there',
    {},
    { secret: { digest: digester.digest('client-secret', SECRET), encrypted: '' } },
  );
  await instance.pass(0);
  const as = (id: string, secret = SECRET) =>
    call(instance.app, { token: cached }, { authorization: basic(id, secret) });
  const faults = [
    await as('there'),
    await as('there', 'wrong'),
    await as('rs1', 'wrong'),
    await as('unknown-id'),
  ];
  for (const fault of faults) expect(fault).toEqual({ ...faults[0], status: 500 });
  activeMembers(await as('rs1'));
  await afterReading(rewrap);
  activeMembers(await as('there'));
  for (const refused of [await as('there', 'wrong'), await as('unknown-id')])
    expect(refused.status).toBe(401);
});
