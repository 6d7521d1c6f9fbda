import { expect, it } from 'vitest';
import { findKnee } from './knee.js';

it('finds the greatest sustained rate to within three in a hundred despite a single slow measurement', async () => {
  const measured = new Set<number>();
  const knee = await findKnee(500, async (rate) => {
    const isFirst = !measured.has(rate);
    measured.add(rate);
    return rate <= 1_000 && !(isFirst && rate > 600 && rate < 800);
  });
  expect(knee).toBeLessThanOrEqual(1_000);
  expect(knee).toBeGreaterThan(970);
  expect(measured.size).toBeLessThan(12);
});

it('starts lower when the first rate is not sustained, and reports when hardly any rate is', async () => {
  expect(await findKnee(3_000, async (rate) => rate <= 1_000)).toBeGreaterThan(970);
  await expect(findKnee(1_600, async () => false)).rejects.toThrow(
    '100 requests per second are not sustained',
  );
});
