import fc from 'fast-check';
import { expect, it } from 'vitest';
import { prefersNdjson } from './ndjson-preference.js';

const LINES = 'application/x-ndjson';

it.each([
  [LINES],
  ['Application/X-NDJSON'],
  [`${LINES};q=0.5`],
  [`${LINES}, application/json;q=0.9`],
  [`application/json;q=0.1, ${LINES};q=0.2`],
  [`${LINES}, */*`],
  [`*/*, ${LINES}`],
  [`${LINES}, application/*;q=1.0`],
  [`${LINES}; charset=utf-8 ; q=0.4, application/json;q=0.39`],
  ['application/json;q=0, */*'],
])('writes lines for Accept: %s', (accept) => {
  expect(prefersNdjson(accept)).toBe(true);
});

it.each([
  [undefined],
  [''],
  ['*/*'],
  ['application/*'],
  ['application/json'],
  [`application/json, ${LINES}`],
  [`${LINES};q=0`],
  [`${LINES};q=0, */*;q=0.1`],
  [`${LINES};q=0.5, application/json`],
  [`${LINES};q=0.5, */*`],
  [`${LINES};q=2`],
  [`${LINES};q=x`],
  [`${LINES};q=0.1234`],
  ['text/html'],
  ['application/x-ndjsonp'],
  ['x-ndjson'],
])('writes an array for Accept: %s', (accept) => {
  expect(prefersNdjson(accept)).toBe(false);
});

it('decides for any text, in time that grows with its length', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => typeof prefersNdjson(text) === 'boolean'));
  for (const text of [
    `${LINES};`.padEnd(16_000, ';'),
    `${LINES} `.padEnd(16_000),
    ','.repeat(16_000),
    `a/b;${'q=1;'.repeat(4_000)}`,
  ])
    expect(typeof prefersNdjson(text)).toBe('boolean');
});
