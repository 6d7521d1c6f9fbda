import fc from 'fast-check';
import { expect, it } from 'vitest';
import { preferredMediaType } from './preferred-media-type.js';

const LINES = 'application/x-ndjson';
const ARRAY = 'application/json';

const preferred = (accept: string | undefined) => preferredMediaType(accept, [ARRAY, LINES]);

it.each([
  [LINES],
  ['Application/X-NDJSON'],
  [`${LINES};q=0.5`],
  [`${LINES}, application/json;q=0.9`],
  [`application/json;q=0.1, ${LINES};q=0.2`],
  [`${LINES}, */*`],
  [`${LINES}, application/json`],
  [`*/*, ${LINES}`],
  [`${LINES}, application/*;q=1.0`],
  [`${LINES}; charset=utf-8 ; q=0.4, application/json;q=0.39`],
  [`${LINES};profile="a,application/json,b"`],
  [`${LINES};profile="a;q=0;b", application/json;q=0.9`],
  [`${LINES};profile="a\\",b";q=0.5, application/json;q=0.4`],
  [`${LINES};profile="\\\\";q=0.5, application/json;q=0.4`],
  [`${LINES};q=0.5;profile=",", application/json;q=0.4`],
  ['application/json;q=0, */*'],
])('prefers the second offer for Accept: %s', (accept) => {
  expect(preferred(accept)).toBe(LINES);
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
  [`application/json;profile="a, ${LINES}"`],
  [`text/html;profile="a,${LINES}"`],
  [`text/html;profile="a\\",${LINES}, "`],
  [`${LINES};profile="a`],
  [`text/html;profile="a, ${LINES}`],
  [`${LINES};q="1"`],
  [`"${LINES}"`],
  ['text/html'],
  ['application/x-ndjsonp'],
  ['x-ndjson'],
])('prefers the first offer for Accept: %s', (accept) => {
  expect(preferred(accept)).toBe(ARRAY);
});

it('returns one of the offers for any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => [ARRAY, LINES].includes(preferred(text))));
  for (const text of [
    `${LINES};`.padEnd(16_000, ';'),
    `${LINES} `.padEnd(16_000),
    ','.repeat(16_000),
    `a/b;${'q=1;'.repeat(4_000)}`,
    `a/b;${'"'.repeat(15_999)}`,
    `a/b;"${'\\'.repeat(15_999)}`,
    `a/b;${'"a",'.repeat(4_000)}`,
    `a/b;${'"a";'.repeat(4_000)}"`,
  ])
    expect([ARRAY, LINES]).toContain(preferred(text));
});
