import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it } from 'vitest';
import { parseCaching } from './cache-headers.js';

const clock = frozenClock();

it.each([
  ['nothing', {}, undefined],
  ['max-age', { 'cache-control': 'public, max-age=600' }, 600],
  ['the lifetime for shared caches before max-age', { 'cache-control': 'max-age=600, s-maxage=60' }, 60],
  ['a quoted lifetime', { 'cache-control': 'max-age="600"' }, 600],
  ['max-age less the age', { 'cache-control': 'max-age=600', age: '500' }, 100],
  ['an age beyond the lifetime', { 'cache-control': 'max-age=600', age: '700' }, 0],
  ['no-store', { 'cache-control': 'no-store, max-age=600' }, 0],
  ['no-cache in capitals', { 'cache-control': 'No-Cache' }, 0],
  ['private', { 'cache-control': 'private, max-age=600' }, 0],
  ['an unreadable lifetime', { 'cache-control': 'max-age=-1' }, 0],
  ['a lifetime without end', { 'cache-control': 'max-age=99999999999' }, 2_147_483_647],
  ['two headers', { 'cache-control': ['public', 'max-age=5'] }, 5],
  ['dates', { expires: 'Thu, 01 Jan 2026 00:10:00 GMT', date: 'Thu, 01 Jan 2026 00:00:00 GMT' }, 600],
  ['a date in the past', { expires: 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
  ['an unreadable date', { expires: '0' }, 0],
  ['a date that does not exist', { expires: 'Thu, 99 Foo 2026 00:10:00 GMT' }, 0],
  [
    'a date beside one that does not exist',
    { expires: 'Thu, 01 Jan 1970 00:10:00 GMT', date: 'Thu, 99 Foo 2026 00:00:00 GMT' },
    0,
  ],
])('reads the lifetime from %s', (_what, headers, expected) => {
  expect(parseCaching(headers, clock).lifetimeSeconds).toBe(expected);
});

it('keeps validators that can be sent back, and no others', () => {
  const lastModified = 'Thu, 01 Jan 2026 00:00:00 GMT';
  expect(parseCaching({ etag: 'W/"a"', 'last-modified': lastModified }, clock)).toEqual({
    etag: 'W/"a"',
    lastModified,
  });
  for (const etag of ['a', '"a\r\nx: y"', `"${'a'.repeat(255)}"`, '"a""'])
    expect(parseCaching({ etag, 'last-modified': 'yesterday' }, clock)).toEqual({});
});
