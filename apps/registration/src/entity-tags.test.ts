import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatEntityTag, parseEntityTags } from './entity-tags.js';

const TAG = /^[!#-~\x80-\xff]*$/;
const anyTag = fc.string({ unit: 'binary-ascii' }).filter((text) => TAG.test(text));

it('returns no condition without a header, and any tag for `*`', () => {
  expect(parseEntityTags(undefined)).toBeUndefined();
  for (const star of ['*', ' * ', '\t*']) expect(parseEntityTags(star)).toEqual({ strong: '*', weak: '*' });
});

it('parses lists of tags, whatever the tags contain, and separates the weak ones (RFC 9110 section 8.8.3)', () => {
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

it('returns no tag for a value that is not a list of tags', () => {
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

it('parses any text in linear time', () => {
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
