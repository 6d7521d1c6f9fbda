import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseChangeEvent } from './change-event.js';
import { readResponseStamp, readTokenMaxAge } from './response-stamp.js';
import { parseStreamPosition } from './stream-position.js';

const ID = 'Qm4vT8yLx2Zr6NcK.81260';
const POSITION = { epoch: 'Qm4vT8yLx2Zr6NcK', number: 81260n };
const TAG = 'b3TfXw9uE5oRj7HaY1mVdA';
/** Its first 48 bits. */
const NUMBER = 0x6f74df5f0f6e;

const parsed = (event: string, data: unknown, id = ID) =>
  parseChangeEvent({ event, id, data: typeof data === 'string' ? data : JSON.stringify(data) });

describe('an event of the stream of changes', () => {
  it.each<[string, unknown, unknown]>([
    ['open', { time: 71_200 }, { kind: 'open', timeMs: 71_200 }],
    ['heartbeat', {}, { kind: 'heartbeat', position: POSITION, timeMs: undefined }],
    ['heartbeat', { time: 1.5, more: [1] }, { kind: 'heartbeat', position: POSITION, timeMs: 1.5 }],
    [
      'invalidate',
      { tags: [TAG], at: '18446744073709551615' },
      { kind: 'invalidate', tags: [NUMBER], at: 2n ** 64n - 1n, position: POSITION, timeMs: undefined },
    ],
    [
      'reset',
      { reason: 'x', at: '81270' },
      { kind: 'reset', at: 81_270n, position: POSITION, timeMs: undefined },
    ],
    ['reset', { reason: 'x' }, { kind: 'reset', at: 81_259n, position: POSITION, timeMs: undefined }],
    ['another', 'anything', { kind: 'unknown' }],
  ])('is read: %s %j', (event, data, expected) => {
    expect(parsed(event, data)).toEqual(expected);
  });

  it.each<[string, unknown, string?]>([
    ['heartbeat', {}, ''],
    ['heartbeat', {}, '81260'],
    ['heartbeat', {}, 'Qm4v.-1'],
    ['heartbeat', {}, 'Qm4v.01'],
    ['heartbeat', {}, 'Qm4v.18446744073709551616'],
    ['heartbeat', '[]'],
    ['heartbeat', '{'],
    ['invalidate', { at: '1' }],
    ['invalidate', { tags: [TAG] }],
    ['invalidate', { tags: [TAG], at: 1 }],
    ['invalidate', { tags: [TAG], at: '-1' }],
    ['invalidate', { tags: [`${TAG}A`], at: '1' }],
    ['invalidate', { tags: [1], at: '1' }],
    ['invalidate', { tags: TAG, at: '1' }],
    ['invalidate', { tags: Array(5_001).fill(TAG), at: '1' }],
  ])('is refused: %s %j %s', (event, data, id) => {
    expect(parsed(event, data, id)).toBeUndefined();
  });

  it('never makes the parser throw', () => {
    const event = fc.constantFrom('open', 'heartbeat', 'invalidate', 'reset', 'x');
    const data = fc.oneof(fc.json(), fc.string());
    fc.assert(fc.property(event, data, fc.string(), (name, text, id) => void parsed(name, text, id)));
  });
});

describe('the headers of a response that may be cached', () => {
  const headers = (deviation: Readonly<Record<string, string | undefined>> = {}) => {
    const all: Readonly<Record<string, string | undefined>> = {
      'preference-applied': 'cache-tags',
      'stream-position': ID,
      'cache-tags': `${TAG}, ${'c'.repeat(22)}`,
      ...deviation,
    };
    return readResponseStamp((name) => all[name]);
  };

  it('are read', () => {
    expect(headers()).toEqual({ position: POSITION, tags: [NUMBER, 0x71c71c71c71c] });
  });

  it.each([
    { 'preference-applied': undefined },
    { 'preference-applied': 'return=minimal' },
    { 'stream-position': undefined },
    { 'stream-position': 'x' },
    { 'cache-tags': undefined },
    { 'cache-tags': '' },
    { 'cache-tags': 'short' },
    { 'cache-tags': `${TAG}, "x"` },
    { 'cache-tags': Array(65).fill(TAG).join() },
  ])('say nothing with %j', (deviation) => {
    expect(headers(deviation)).toBeUndefined();
  });

  it('may limit how long the response is used (RFC 9213)', () => {
    expect(readTokenMaxAge(undefined)).toBeUndefined();
    expect(readTokenMaxAge('max-age=60')).toBe(60);
    expect(readTokenMaxAge('private, max-age=0')).toBe(0);
    for (const odd of ['', 'max-age', 'max-age=-1', 'max-age=1.5', 'max-age=1, max-age=2', 'no-store'])
      expect(readTokenMaxAge(odd)).toBe(0);
  });
});

it('a position is read as it was written', () => {
  const epoch = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
  fc.assert(
    fc.property(epoch, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (name, number) => {
      expect(parseStreamPosition(`${name}.${number}`)).toEqual({ epoch: name, number });
    }),
  );
});
