import type { EpochSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { memoryReplayStore, replayStoreContract, unavailableReplayStore } from '../testing/index.js';
import { layeredReplayStore, type ReplayOutcome, type ReplayStore } from './replay-store.js';

const UNTIL = 1_900_000_000 as EpochSeconds;
const DIGEST = new Uint8Array(32).fill(7);
const storeReturning = (outcome: ReplayOutcome): ReplayStore => ({ recordUse: async () => outcome });

describe('memoryReplayStore', () => {
  replayStoreContract(async () => {
    const store = memoryReplayStore();
    return [store, store];
  });
});

describe('layeredReplayStore', () => {
  describe.each(['both up', 'first down', 'second down'])('%s', (state) => {
    replayStoreContract(async () => {
      const cache = state === 'first down' ? unavailableReplayStore : memoryReplayStore();
      const database = state === 'second down' ? unavailableReplayStore : memoryReplayStore();
      return [layeredReplayStore([cache, database]), layeredReplayStore([cache, database])];
    });
  });

  it('returns fresh if no store knows the use and at least one recorded it', async () => {
    const cases: readonly (readonly [ReplayOutcome, ReplayOutcome, ReplayOutcome])[] = [
      ['fresh', 'fresh', 'fresh'],
      ['fresh', 'unavailable', 'fresh'],
      ['unavailable', 'fresh', 'fresh'],
      ['unavailable', 'unavailable', 'unavailable'],
      ['fresh', 'replayed', 'replayed'],
      ['unavailable', 'replayed', 'replayed'],
      ['replayed', 'fresh', 'replayed'],
      ['replayed', 'unavailable', 'replayed'],
    ];
    for (const [first, second, expected] of cases) {
      const store = layeredReplayStore([storeReturning(first), storeReturning(second)]);
      expect(await store.recordUse(DIGEST, UNTIL), `${first}, ${second}`).toBe(expected);
    }
    expect(await layeredReplayStore([]).recordUse(DIGEST, UNTIL)).toBe('unavailable');
  });

  it('accepts no use twice when a store is lost between two uses, or comes back empty', async () => {
    const database = memoryReplayStore();
    const outcomes: ReplayOutcome[] = [];
    for (const cache of [memoryReplayStore(), unavailableReplayStore, memoryReplayStore()])
      outcomes.push(await layeredReplayStore([cache, database]).recordUse(DIGEST, UNTIL));
    expect(outcomes).toEqual(['fresh', 'replayed', 'replayed']);
  });

  it('does not ask a later store about a use that an earlier one knows', async () => {
    const notAsked: ReplayStore = { recordUse: () => expect.fail('asked') };
    expect(await layeredReplayStore([storeReturning('replayed'), notAsked]).recordUse(DIGEST, UNTIL)).toBe(
      'replayed',
    );
  });
});
