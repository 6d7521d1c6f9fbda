import { expect, it } from 'vitest';
import { parseMetrics } from './service.js';

it('reads samples by their name with labels', () => {
  const text =
    '# HELP reads_total Reads.\n# TYPE reads_total counter\nreads_total{source="store"} 3\nage +Inf\n';
  expect(parseMetrics(text)).toEqual(
    new Map([
      ['reads_total{source="store"}', 3],
      ['age', Number.POSITIVE_INFINITY],
    ]),
  );
});
