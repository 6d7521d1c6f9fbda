import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createMasterToken } from './master-token.js';

const digest = (token: string) => createHash('sha256').update(token).digest('hex');

describe('createMasterToken', () => {
  it('matches each of the tokens during a rotation, and nothing else', () => {
    const master = createMasterToken([digest('old'), digest('new').toUpperCase()]);
    expect(['old', 'new'].every(master.matches)).toBe(true);
    expect(['', 'Old', 'old ', digest('old'), 'oldnew'].some(master.matches)).toBe(false);
  });

  it('matches nothing if none is configured', () => {
    expect(createMasterToken([]).matches('')).toBe(false);
  });

  it('refuses malformed digests', () => {
    for (const text of ['', 'abc', digest('x').slice(1), `${digest('x')}0`, ` ${digest('x')}`]) {
      expect(() => createMasterToken([text])).toThrow(TypeError);
    }
  });
});
