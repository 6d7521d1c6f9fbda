import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedMemory } from './bounded-memory.js';

const entry = (bytes = 1) => ({ bytes, isUsed: false });

describe('boundedMemory', () => {
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
});
