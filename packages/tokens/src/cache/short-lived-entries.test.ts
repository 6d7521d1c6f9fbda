import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortLivedEntries } from './short-lived-entries.js';

const KEY = fc.constantFrom('a', 'b', 'c', 'd');
const STEP = fc.oneof(
  fc.record({ does: fc.constant('set' as const), key: KEY, entry: fc.nat() }),
  fc.record({ does: fc.constant('delete' as const), key: KEY }),
);

describe('shortLivedEntries', () => {
  it('contains the same entries as a map, for any sequence of changes', () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 40 }), (steps) => {
        const [entries, map] = [shortLivedEntries<number>(), new Map<string, number>()];
        for (const step of steps) {
          if (step.does === 'set') {
            entries.set(step.key, step.entry);
            map.set(step.key, step.entry);
          } else {
            entries.delete(step.key);
            map.delete(step.key);
          }
          for (const key of ['a', 'b', 'c', 'd']) expect(entries.get(key)).toBe(map.get(key));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
