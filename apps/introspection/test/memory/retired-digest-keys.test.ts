import { secureRandom } from '@vestibule/crypto';
import { activateDataKey, addDataKey, retireDataKey } from '@vestibule/crypto/data-keys';
import { foreignSql } from '@vestibule/local-services/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aTimedService } from '../support/cached-instance.js';
import { activeMembers, basic, call, INACTIVE } from '../support/introspection-call.js';
import { aSteppedInstance } from '../support/stepped-instance.js';

/** An instance with a cached token under an earlier digest key and one under the current key. */
async function createRotatedFixture() {
  const service = await aTimedService();
  const { keys, database, clock } = service;
  const { keyEncryptionKeys, dataKeys } = keys;
  const rotation = { store: database.dataKeys, keyEncryptionKeys, clock, random: secureRandom };
  const earlierKey = (await database.dataKeys.list()).find(({ purpose }) => purpose === 'digest');
  if (earlierKey === undefined) throw new TypeError('there is a key for digests');
  const earlier = [await service.identifier(), await service.identifier()] as const;
  const { id } = await addDataKey(rotation, 'digest');
  clock.advanceSeconds(60);
  await activateDataKey(rotation, id);
  await dataKeys.refresh();
  // The secret of a caller has a digest too.
  await service.register('rs2');
  const present = [await service.identifier(), await service.identifier()] as const;
  const instance = await aSteppedInstance(service);
  const introspect = (token: string) => call(instance.app, { token }, { authorization: basic('rs2') });
  const claim = (token: string) =>
    call(instance.app, { token, revoke: 'true' }, { authorization: basic('rs2') });
  for (const token of [...earlier, ...present]) activeMembers(await introspect(token));
  return {
    instance,
    earlier,
    present,
    introspect,
    claim,
    retire: () => {
      clock.advanceSeconds(60);
      return retireDataKey(rotation, earlierKey.id);
    },
    earlierKey,
    sql: await foreignSql(service.databaseUrl),
  };
}

const HIDE = 'ALTER TABLE data_key RENAME TO hidden_data_key';
const SHOW = 'ALTER TABLE IF EXISTS hidden_data_key RENAME TO data_key';

describe('a token that is stored under a retired digest key', () => {
  it('is inactive as soon as the invalidation event arrives, and other tokens stay active', async () => {
    const { instance, earlier, present, introspect, claim, retire } = await createRotatedFixture();
    const { keyReadings } = instance;
    await retire();
    await instance.pass(0);
    await vi.waitFor(() => expect(instance.keyReadings).toBeGreaterThan(keyReadings), 60_000);
    expect(await introspect(earlier[0])).toEqual(INACTIVE);
    expect(await claim(earlier[1])).toEqual(INACTIVE);
    activeMembers(await introspect(present[0]));
    activeMembers(await claim(present[1]));
  });

  it('is inactive five seconds later without an event, introspected or consumed', async () => {
    const { instance, earlier, present, introspect, claim, retire } = await createRotatedFixture();
    await instance.loseInvalidations();
    await retire();
    await instance.pass(5_000);
    expect(await introspect(earlier[0])).toEqual(INACTIVE);
    expect(await claim(earlier[1])).toEqual(INACTIVE);
    activeMembers(await introspect(present[0]));
    activeMembers(await claim(present[1]));
  });

  it('is not consumed a second later without an event', async () => {
    const { instance, earlier, claim, retire } = await createRotatedFixture();
    await instance.loseInvalidations();
    await retire();
    await instance.pass(1_000);
    expect(await claim(earlier[0])).toEqual(INACTIVE);
  });

  it('is never active five seconds later while the keys cannot be read, and other tokens are active again once they can', async () => {
    const { instance, earlier, present, introspect, claim, earlierKey, sql } = await createRotatedFixture();
    await sql(HIDE);
    // Even if the test fails, because databases are reused.
    onTestFinished(() => sql(SHOW).then(() => undefined));
    await sql(`UPDATE hidden_data_key SET state = 'retired' WHERE id = $1`, [earlierKey.id]);
    await instance.pass(4_000);
    activeMembers(await introspect(present[0]));
    await instance.pass(1_000);
    for (const token of [...earlier, ...present])
      expect([(await introspect(token)).status, (await claim(token)).status]).toEqual([500, 500]);
    await sql(SHOW);
    activeMembers(await introspect(present[0]));
    activeMembers(await claim(present[1]));
    for (const response of [await introspect(earlier[0]), await claim(earlier[1])])
      expect(response).toEqual(INACTIVE);
  });
});

it('keeps its cache after an invalidation event that does not affect the digest keys', async () => {
  const { instance, earlier, present, introspect, sql } = await createRotatedFixture();
  const { counters } = instance.states;
  const { storeQueries } = counters;
  const { keyReadings } = instance;
  await sql('UPDATE data_key SET wrapped = wrapped');
  await instance.pass(0);
  for (const isRead of [false, true]) {
    if (isRead) await vi.waitFor(() => expect(instance.keyReadings).toBeGreaterThan(keyReadings), 60_000);
    for (const token of [...earlier, ...present]) activeMembers(await introspect(token));
    expect(counters.storeQueries).toBe(storeQueries);
  }
  await instance.pass(60_000);
  for (const token of [...earlier, ...present]) activeMembers(await introspect(token));
  expect(counters.storeQueries).toBe(storeQueries);
});
