import { foreignSql } from '@vestibule/local-services/testing';
import { testRedisUrl } from '@vestibule/testkit';
import { evaluateHistory, type TokenEvent } from '@vestibule/tokens/testing';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { aCachedInstance, aTimedService } from '../support/cached-instance.js';
import { raceRevocations } from '../support/revocation-race.js';
import { TERMINATE_STREAMS } from '../support/sql.js';

async function aRace() {
  const service = await aTimedService();
  const sql = await foreignSql(service.databaseUrl);
  const redisUrl = await testRedisUrl();
  const instances = [
    await aCachedInstance(service, { redisUrl }),
    await aCachedInstance(service, { redisUrl }),
  ];
  return { fixture: { service, sql }, instances, redisUrl };
}

const responses = (history: readonly TokenEvent[], wanted: string) =>
  history.filter((event) => event.kind === 'introspected' && event.response === wanted).length;

it('responds to revocations in time while everything works', async () => {
  const { fixture, instances } = await aRace();
  const history = await raceRevocations({ fixture, instances, tokens: 60, callers: 4 });
  expect(evaluateHistory(history, { staleMs: 1_000 })).toEqual([]);
  expect(responses(history, 'fault')).toBe(0);
  // Otherwise the test proves nothing.
  expect(responses(history, 'active')).toBeGreaterThan(200);
  expect(responses(history, 'inactive')).toBeGreaterThan(200);
  expect(instances[0]?.cache.states.counters.memoryHits).toBeGreaterThan(100);
});

it('responds to revocations in time while streams are cut, events are forged, the log is lost and Redis is flushed', async () => {
  const { fixture, instances, redisUrl } = await aRace();
  const redis = new Redis(redisUrl);
  onTestFinished(() => redis.disconnect());
  const faults = [
    () => fixture.sql(TERMINATE_STREAMS),
    () => fixture.sql(`INSERT INTO invalidation_event (kind, tags) VALUES ('tokens', '{garbage}')`),
    () => redis.flushdb(),
    () => fixture.sql('DELETE FROM invalidation_event; DELETE FROM invalidation_epoch'),
    async () => undefined,
  ];
  const history = await raceRevocations({
    fixture,
    instances,
    tokens: 60,
    callers: 4,
    fault: async (index) => faults[index % faults.length]?.(),
  });
  expect(evaluateHistory(history, { staleMs: 5_000 })).toEqual([]);
  expect(responses(history, 'fault')).toBe(0);
  expect(responses(history, 'active')).toBeGreaterThan(200);
});
