import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { type PruneInput, pruneClients } from './prune-clients.js';

const BODY = { redirect_uris: ['https://app.example.org/cb'] };

it('deletes unused clients in batches, by default only open registrations', async () => {
  const { deps, register, all, clock } = await registrationFixture({ allowOpenRegistration: true });
  const ids = [];
  for (let index = 0; index < 5; index += 1) ids.push((await register(BODY)).information.client_id);
  const managed = (await register(BODY, MASTER)).information.client_id;
  clock.advanceSeconds(10);
  const late = (await register(BODY)).information.client_id;
  const unusedSince = epochSeconds(nowSeconds(clock));
  const prune = async (changes: Partial<PruneInput> = {}) => {
    const batches: string[][] = [];
    const input = { unusedSince, dryRun: false, actor: 'operator:ada', batchSize: 2, ...changes } as const;
    for await (const batch of pruneClients(deps, input)) batches.push(batch.map(({ id }) => id));
    return batches;
  };
  const predicted = await prune({ dryRun: true });
  expect(predicted.map((batch) => batch.length)).toEqual([2, 2, 1]);
  expect(await all()).toHaveLength(7);
  expect(await prune()).toEqual(predicted);
  expect(predicted.flat().toSorted()).toEqual(ids.toSorted());
  expect((await all()).map(({ id }) => id).toSorted()).toEqual([managed, late].toSorted());
  expect(await prune()).toEqual([]);
  expect(await prune({ origins: ['registration'] })).toEqual([[managed]]);
});
