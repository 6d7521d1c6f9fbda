import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatEntityTag, parseEntityTags } from './entity-tags.js';

const TAG = /^[!#-~\x80-\xff]*$/;
const anyTag = fc.string({ unit: 'binary-ascii' }).filter((text) => TAG.test(text));

it('knows no condition where there is no header, and any client for a star', () => {
  expect(parseEntityTags(undefined)).toBeUndefined();
  for (const star of ['*', ' * ', '\t*']) expect(parseEntityTags(star)).toEqual({ strong: '*', weak: '*' });
});

it('takes lists of tags apart, whatever stands in them, and tells the weak ones (RFC 9110 section 8.8.3)', () => {
  const listed = fc.array(fc.record({ tag: anyTag, isWeak: fc.boolean() }), { minLength: 1 });
  const between = fc.constantFrom(',', ', ', ' ,\t', ',,', ' , , ');
  fc.assert(
    fc.property(listed, between, (tags, separator) => {
      const header = tags
        .map(({ tag, isWeak }) => (isWeak ? 'W/' : '') + formatEntityTag(tag))
        .join(separator);
      expect(parseEntityTags(header)).toEqual({
        strong: tags.filter(({ isWeak }) => !isWeak).map(({ tag }) => tag),
        weak: tags.map(({ tag }) => tag),
      });
    }),
  );
});

it('takes no tag from what is no list of tags', () => {
  const malformed = [
    'a',
    '"a',
    'a"',
    '"a" "b"',
    '"a";',
    'w/"a"',
    'W/a',
    'W/ "a"',
    '"a", *',
    '"a\u0100"',
    '"a b"',
    "'a'",
  ];
  for (const header of malformed) expect(parseEntityTags(header), header).toEqual({ strong: [], weak: [] });
});

it('reads any text at all, in time that grows with its length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(parseEntityTags(text)).toBeDefined();
    }),
  );
  for (const text of [
    ' '.repeat(16_000),
    '\t,'.repeat(8_000),
    '"'.repeat(16_000),
    `${'"a",'.repeat(4_000)}x`,
  ])
    expect(parseEntityTags(text)?.strong).toEqual([]);
});
