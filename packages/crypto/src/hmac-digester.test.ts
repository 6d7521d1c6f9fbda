import { createHmac, createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Digest } from './digester.js';
import { hmacDigester } from './hmac-digester.js';

const first = createSecretKey(Buffer.alloc(32, 1));
const second = createSecretKey(Buffer.alloc(32, 2));

describe('hmacDigester', () => {
  it('is HMAC-SHA-256 over the kind, a NUL and the value', () => {
    const expected = createHmac('sha256', Buffer.alloc(32, 1)).update('access-token\0value').digest();
    expect(hmacDigester(() => [first]).digest('access-token', 'value')).toEqual(expected);
  });

  it('gives unrelated digests to equal texts of two kinds', () => {
    const digester = hmacDigester(() => [first]);
    expect(digester.digest('access-token', 'x')).not.toEqual(digester.digest('refresh-token', 'x'));
    expect(digester.matches('refresh-token', 'x', digester.digest('access-token', 'x'))).toBe(false);
  });

  it('digests under the first key, and looks up under all', () => {
    const [old, both] = [hmacDigester(() => [first]), hmacDigester(() => [second, first])];
    const stored = old.digest('client-secret', 'x');
    expect(both.digest('client-secret', 'x')).not.toEqual(stored);
    expect(both.candidates('client-secret', 'x')).toEqual([both.digest('client-secret', 'x'), stored]);
    expect(both.matches('client-secret', 'x', stored)).toBe(true);
    expect(hmacDigester(() => [second]).matches('client-secret', 'x', stored)).toBe(false);
  });

  it('asks for the keys on each call, so that they can rotate', () => {
    let key = first;
    const digester = hmacDigester(() => [key]);
    const before = digester.digest('artifact', 'x');
    key = second;
    expect(digester.digest('artifact', 'x')).not.toEqual(before);
  });

  it('matches a value with its own digest only', () => {
    const digester = hmacDigester(() => [first]);
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(digester.matches('access-token', a, digester.digest('access-token', b))).toBe(a === b);
      }),
    );
  });

  it('says no to a stored digest of another length', () => {
    const short: Uint8Array = new Uint8Array(16);
    expect(hmacDigester(() => [first]).matches('access-token', 'x', short as Digest)).toBe(false);
  });

  // What a body parser let through as an object would otherwise become a query operator in a look-up.
  it('throws TypeError for anything that is not text', () => {
    const digester = hmacDigester(() => [first]);
    for (const value of [undefined, null, 1, true, {}, { not: '' }, ['x'], Buffer.from('x')]) {
      const call: (kind: string, value: unknown) => unknown = digester.digest as never;
      expect(() => call('access-token', value)).toThrow(TypeError);
    }
  });
});
