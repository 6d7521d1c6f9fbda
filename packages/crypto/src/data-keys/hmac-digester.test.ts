import { createHmac, createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Digest } from './digester.js';
import { digestKeySet, hmacDigester } from './hmac-digester.js';
import { KeyEncryptionError } from './key-encryption-keys.js';

const first = createSecretKey(Buffer.alloc(32, 1));
const second = createSecretKey(Buffer.alloc(32, 2));

const look = async () => undefined;

describe('hmacDigester', () => {
  it('is HMAC-SHA-256 over the kind, a NUL and the value', () => {
    const expected = createHmac('sha256', Buffer.alloc(32, 1)).update('access-token\0value').digest();
    expect(hmacDigester(() => digestKeySet([first], true)).digest('access-token', 'value')).toEqual(expected);
  });

  it('returns unrelated digests for equal texts of two kinds', () => {
    const digester = hmacDigester(() => digestKeySet([first], true));
    expect(digester.digest('access-token', 'x')).not.toEqual(digester.digest('refresh-token', 'x'));
    expect(digester.matches('refresh-token', 'x', digester.digest('access-token', 'x'))).toBe(false);
  });

  it('writes under the first key, and looks up under all', () => {
    const [old, both] = [
      hmacDigester(() => digestKeySet([first], true)),
      hmacDigester(() => digestKeySet([second, first], true)),
    ];
    const stored = old.digest('client-secret', 'x');
    expect(both.digest('client-secret', 'x')).not.toEqual(stored);
    expect(both.availableDigests('client-secret', 'x')).toEqual([both.digest('client-secret', 'x'), stored]);
    expect(both.matches('client-secret', 'x', stored)).toBe(true);
    expect(hmacDigester(() => digestKeySet([second], true)).matches('client-secret', 'x', stored)).toBe(
      false,
    );
  });

  it('gets the keys at each call, so that they can rotate', () => {
    let key = first;
    const digester = hmacDigester(() => digestKeySet([key], true));
    const before = digester.digest('artifact', 'x');
    key = second;
    expect(digester.digest('artifact', 'x')).not.toEqual(before);
  });

  it('matches a value only with its own digest', () => {
    const digester = hmacDigester(() => digestKeySet([first], true));
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(digester.matches('access-token', a, digester.digest('access-token', b))).toBe(a === b);
      }),
    );
  });

  it('returns false for a stored digest of another length', () => {
    const short: Uint8Array = new Uint8Array(16);
    expect(
      hmacDigester(() => digestKeySet([first], true)).matches('access-token', 'x', short as Digest),
    ).toBe(false);
  });

  it('reports a negative result if every key is available', async () => {
    const digester = hmacDigester(() => digestKeySet([first], true));
    expect(await digester.find(look, async () => 'not asked')).toBe(undefined);
  });

  it('does not report a negative result while a key is missing', async () => {
    const digester = hmacDigester(() => digestKeySet([first], false));
    const stored = digester.digest('access-token', 'x');
    await expect(digester.find(look)).rejects.toBeInstanceOf(KeyEncryptionError);
    await expect(digester.find(look, look)).rejects.toBeInstanceOf(KeyEncryptionError);
    expect(await digester.find(look, async () => 'otherwise')).toBe('otherwise');
    expect(await digester.find(async () => 'found', look)).toBe('found');
    expect(() => digester.matches('access-token', 'y', stored)).toThrow(KeyEncryptionError);
    expect(digester.matches('access-token', 'y')).toBe(false);
    expect(digester.matchesAvailable('access-token', 'y', stored)).toBe(false);
    expect(digester.matches('access-token', 'x', stored)).toBe(true);
  });

  it('uses the same keys during a whole lookup, even while they rotate', async () => {
    const old = digestKeySet([first], false);
    let keys = old;
    const found = hmacDigester(() => keys).find(async (digests) => {
      keys = digestKeySet([second, first], true);
      await Promise.resolve();
      expect(digests('artifact', 'x')).toEqual(old.available('artifact', 'x'));
      return undefined;
    });
    await expect(found).rejects.toBeInstanceOf(KeyEncryptionError);
  });

  // An object that a body parser accepted could otherwise become a query operator in a lookup.
  it('throws TypeError for anything that is not a string', () => {
    const digester = hmacDigester(() => digestKeySet([first], true));
    for (const value of [undefined, null, 1, true, {}, { not: '' }, ['x'], Buffer.from('x')]) {
      const call: (kind: string, value: unknown) => unknown = digester.digest as never;
      expect(() => call('access-token', value)).toThrow(TypeError);
    }
  });
});
