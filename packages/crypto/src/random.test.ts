import { seededRandom } from '@vestibule/protocol/testing';
import { describe, expect, it } from 'vitest';
import { randomAlphanumeric, randomKeyId, secureRandom } from './random.js';

/** Pearson's chi-square statistic against a uniform distribution. */
function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe('randomAlphanumeric', () => {
  it('returns texts of exactly the given length, of letters and digits only', () => {
    for (const length of [1, 2, 22, 43, 86, 1024])
      expect(randomAlphanumeric(length)).toMatch(new RegExp(`^[A-Za-z0-9]{${length}}$`));
  });

  it('refuses lengths that are not whole numbers from 1 to 1,024', () => {
    for (const length of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1025])
      expect(() => randomAlphanumeric(length)).toThrow(RangeError);
  });

  it('is uniform over a million letters', () => {
    const source = seededRandom(20_260_601);
    const counts = new Map<string, number>();
    for (let text = 0; text < 1000; text += 1)
      for (const letter of randomAlphanumeric(1000, source))
        counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 61 degrees of freedom: chance exceeds the limit once in 100,000 runs. A plain remainder gives about 24,000.
    expect(chiSquare([...counts.values()])).toBeLessThan(120);
  });

  it('skips the bytes that would favour the first letters', () => {
    const bytes = [255, 248, 247, 0, 61];
    const source = {
      bytes: (length: number) => Uint8Array.from({ length }, (_, index) => bytes[index] ?? 1),
    };
    expect(randomAlphanumeric(3, source)).toBe('9A9');
  });

  it('draws again if every byte is skipped', () => {
    let calls = 0;
    const source = {
      bytes: (length: number) => {
        calls += 1;
        return new Uint8Array(length).fill(calls < 3 ? 255 : 2);
      },
    };
    expect(randomAlphanumeric(2, source)).toBe('CC');
  });

  it('never returns the same text twice in a hundred thousand calls', () => {
    const texts = new Set(Array.from({ length: 100_000 }, () => randomAlphanumeric(22)));
    expect(texts.size).toBe(100_000);
  });
});

describe('randomKeyId', () => {
  it('returns 22 letters: 130 bits', () => {
    expect(randomKeyId()).toMatch(/^[A-Za-z0-9]{22}$/);
  });
});

describe('secureRandom', () => {
  it('returns the given number of bytes, different each time', () => {
    expect(secureRandom.bytes(32)).toHaveLength(32);
    expect(secureRandom.bytes(32)).not.toEqual(secureRandom.bytes(32));
  });
});
