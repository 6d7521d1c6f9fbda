import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { keyEncryptionKeyText } from '../testing/index.js';
import { KeyEncryptionError, parseKeyEncryptionKeys } from './key-encryption-keys.js';

const [first, second] = [keyEncryptionKeyText('first'), keyEncryptionKeyText('second')];
const dataKey = new Uint8Array(32).fill(7);

function messageOf(text: string): string {
  try {
    parseKeyEncryptionKeys(text);
  } catch (error) {
    if (error instanceof KeyEncryptionError) return error.message;
    throw error;
  }
  throw new Error('was accepted');
}

describe('parseKeyEncryptionKeys', () => {
  it('derives the id of a key from its bytes, in any spelling', () => {
    const base64 = Buffer.from(first, 'base64url').toString('base64');
    const id = parseKeyEncryptionKeys(first).activeId;
    for (const text of [base64, base64.replace(/=$/, ''), `  ${first} `, `${first},${second}`])
      expect(parseKeyEncryptionKeys(text).activeId).toBe(id);
    expect(parseKeyEncryptionKeys(second).activeId).not.toBe(id);
    expect(first).not.toContain(id);
  });

  it('refuses anything but a list of distinct keys of 32 random bytes, and never shows a key', () => {
    const short = Buffer.from(first, 'base64url').subarray(1).toString('base64url');
    const placeholders = [
      Buffer.alloc(32).toString('base64url'),
      Buffer.alloc(32, 'secret').toString('base64'),
    ];
    const bad = [
      '',
      ',',
      `${first},`,
      `${first},,${second}`,
      `${first},${first}`,
      short,
      `${first}A`,
      `${first}==`,
    ];
    for (const text of [...bad, ...placeholders, `${first};${second}`, `${first.slice(0, 42)}!`]) {
      const message = messageOf(text);
      for (const part of text.split(',').filter((item) => item !== '')) expect(message).not.toContain(part);
    }
  });

  it('wraps under the first key and unwraps under all of them', async () => {
    const earlier = parseKeyEncryptionKeys(first);
    const wrapped = await earlier.wrap(dataKey, 'context');
    const both = parseKeyEncryptionKeys(`${second},${first}`);
    expect(await both.unwrap(wrapped, earlier.activeId, 'context')).toEqual(Buffer.from(dataKey));
    expect(both.activeId).toBe(parseKeyEncryptionKeys(second).activeId);
  });

  it('wraps differently each time', async () => {
    const keys = parseKeyEncryptionKeys(first);
    expect(await keys.wrap(dataKey, 'context')).not.toBe(await keys.wrap(dataKey, 'context'));
  });

  it('refuses to unwrap under another key, for another context, or a changed text', async () => {
    const keys = parseKeyEncryptionKeys(`${first},${second}`);
    const otherId = parseKeyEncryptionKeys(second).activeId;
    const wrapped = await keys.wrap(dataKey, 'context');
    const attempts = [
      keys.unwrap(wrapped, otherId, 'context'),
      keys.unwrap(wrapped, 'unknown', 'context'),
      keys.unwrap(wrapped, keys.activeId, 'context '),
      keys.unwrap(`${wrapped}A`, keys.activeId, 'context'),
      keys.unwrap('', keys.activeId, 'context'),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toThrow(KeyEncryptionError);
  });

  it('refuses to wrap a data key of another length', async () => {
    const keys = parseKeyEncryptionKeys(first);
    const wrapped = await keys.wrap(new Uint8Array(16), 'context');
    await expect(keys.unwrap(wrapped, keys.activeId, 'context')).rejects.toThrow(KeyEncryptionError);
  });

  it('does not print its keys', () => {
    const printed =
      inspect(parseKeyEncryptionKeys(first), { depth: 5 }) + JSON.stringify(parseKeyEncryptionKeys(first));
    expect(printed).not.toContain(first);
  });
});
