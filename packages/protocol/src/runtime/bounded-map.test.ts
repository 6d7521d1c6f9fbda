import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedMap } from './bounded-map.js';

interface Entry {
  readonly bytes: number;
  isUsed: boolean;
}

const entry = (bytes = 1): Entry => ({ bytes, isUsed: false });

/** A map that spares recently used entries. */
function boundedMemory({ entries, bytes: maxSize }: { readonly entries: number; readonly bytes: number }) {
  const map = boundedMap<string, Entry>({
    maxEntries: entries,
    maxSize,
    sizeOf: (_key, { bytes }) => bytes,
    secondChance: (value) => {
      const { isUsed } = value;
      value.isUsed = false;
      return isUsed;
    },
  });
  return {
    set: map.set,
    delete: map.delete,
    get: (key: string) => {
      const found = map.get(key);
      if (found !== undefined) found.isUsed = true;
      return found;
    },
    get size() {
      return map.size;
    },
    get bytes() {
      return map.totalSize;
    },
  };
}

describe('boundedMap', () => {
  it('never exceeds its limits, and counts its entries', () => {
    const operations = fc.array(
      fc.record({
        key: fc.nat(9).map(String),
        bytes: fc.nat(30),
        what: fc.constantFrom('set', 'get', 'delete'),
      }),
    );
    fc.assert(
      fc.property(operations, fc.nat(6), fc.integer({ min: 1, max: 60 }), (steps, entries, bytes) => {
        const memory = boundedMemory({ entries, bytes });
        const keys = new Set<string>();
        for (const { key, bytes: size, what } of steps) {
          if (what === 'set') memory.set(key, entry(size));
          else if (what === 'get') memory.get(key);
          else memory.delete(key);
          keys.add(key);
          expect(memory.size).toBeLessThanOrEqual(entries);
          expect(memory.bytes).toBeLessThanOrEqual(bytes);
          const held = [...keys].flatMap((each) => memory.get(each) ?? []);
          expect(memory.size).toBe(held.length);
          expect(memory.bytes).toBe(held.reduce((sum, each) => sum + each.bytes, 0));
        }
      }),
    );
  });

  it('keeps used entries when many new ones are added', () => {
    const memory = boundedMemory({ entries: 100, bytes: 1e6 });
    for (let index = 0; index < 50; index += 1) memory.set(`hot ${index}`, entry());
    for (let index = 0; index < 5_000; index += 1) {
      memory.set(`cold ${index}`, entry());
      memory.get(`hot ${index % 50}`);
    }
    for (let index = 0; index < 50; index += 1) expect(memory.get(`hot ${index}`)).toBeDefined();
  });

  it('keeps the newer of two entries with one key, and no entry that is too large', () => {
    const memory = boundedMemory({ entries: 2, bytes: 10 });
    const [first, second] = [entry(4), entry(5)];
    memory.set('a', first);
    memory.set('a', second);
    expect([memory.get('a'), memory.size, memory.bytes]).toEqual([second, 1, 5]);
    memory.set('a', entry(11));
    expect([memory.get('a'), memory.size, memory.bytes]).toEqual([undefined, 0, 0]);
  });

  it('evicts the entries that were set first, a part of a large map at a time', () => {
    const map = boundedMap<number, string>({ maxEntries: 1_280 });
    for (let key = 0; key < 1_280; key += 1) map.set(key, 'x');
    map.set(0, 'set again');
    expect([map.size, map.get(1)]).toEqual([1_280, 'x']);
    map.set(1_280, 'x');
    expect([map.size, map.get(0), map.get(11), map.get(12)]).toEqual([1_270, 'set again', undefined, 'x']);
  });

  it('keeps a new entry that fills the map nearly alone, and gives up the others', () => {
    const memory = boundedMemory({ entries: 10, bytes: 1_000 });
    memory.set('small', entry(10));
    memory.set('large', entry(1_000));
    expect([memory.get('small'), memory.get('large')?.bytes, memory.bytes]).toEqual([
      undefined,
      1_000,
      1_000,
    ]);
  });

  it('removes an expired entry, and all entries on request', () => {
    let now = 0;
    const map = boundedMap<string, number>({ maxEntries: 2, isExpired: (until) => now >= until });
    map.set('a', 1);
    map.set('b', 2);
    now = 1;
    expect([map.get('a'), map.get('b'), map.size]).toEqual([undefined, 2, 1]);
    map.clear();
    expect([map.get('b'), map.size, map.totalSize]).toEqual([undefined, 0, 0]);
  });
});
