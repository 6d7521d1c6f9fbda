import { epochSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import {
  audienceClaim,
  isExpired,
  isInFuture,
  isSoleAudience,
  numericDateClaim,
  textClaim,
} from './claims.js';
import { JoseFailure } from './jose-failure.js';

describe('numericDateClaim', () => {
  it('truncates fractions (RFC 7519 section 2)', () => {
    for (const [exp, seconds] of [
      [1_800_000_000.999, 1_800_000_000],
      [0.5, 0],
      [253_402_300_799.5, 253_402_300_799],
    ] as const)
      expect(numericDateClaim({ exp }, 'exp')).toBe(seconds);
  });

  it('returns whole seconds from 1970 to 9999', () => {
    for (const exp of [0, 1, 1_800_000_000, 253_402_300_799])
      expect(numericDateClaim({ exp }, 'exp')).toBe(exp);
  });

  it('returns undefined for an absent claim, also if it is inherited', () => {
    expect(numericDateClaim({}, 'exp')).toBeUndefined();
    expect(numericDateClaim({}, 'constructor')).toBeUndefined();
  });

  // jose accepts most of these, and 1e308 never expires.
  it('refuses everything else', () => {
    const bad = [
      null,
      '1',
      '',
      true,
      [],
      [1],
      {},
      -0.5,
      -1,
      1e308,
      253_402_300_800,
      2 ** 53,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ];
    for (const exp of bad) expect(() => numericDateClaim({ exp }, 'exp'), String(exp)).toThrow(JoseFailure);
  });
});

describe('textClaim', () => {
  it('returns a string, or undefined if absent', () => {
    expect(textClaim({ iss: 'x' }, 'iss')).toBe('x');
    expect(textClaim({}, 'iss')).toBeUndefined();
    expect(textClaim({}, 'toString')).toBeUndefined();
  });

  it('refuses other types and the empty string', () => {
    for (const iss of [null, '', 1, true, [], ['x'], {}])
      expect(() => textClaim({ iss }, 'iss')).toThrow(JoseFailure);
  });
});

describe('audience', () => {
  it('returns a list, for one string and for a list of strings', () => {
    expect(audienceClaim({ aud: 'a' })).toEqual(['a']);
    expect(audienceClaim({ aud: ['a', 'b'] })).toEqual(['a', 'b']);
    expect(audienceClaim({ aud: [] })).toEqual([]);
    expect(audienceClaim({})).toBeUndefined();
  });

  it('refuses everything else', () => {
    for (const aud of [null, 1, true, {}, [1], ['a', null], [['a']]])
      expect(() => audienceClaim({ aud })).toThrow(JoseFailure);
  });

  // Each recipient of a token with two recipients could replay it at the other.
  it('is sole only if it is exactly one of the accepted names', () => {
    const names = ['https://as.example', 'https://as.example/token'];
    for (const aud of [...names, ['https://as.example']]) expect(isSoleAudience({ aud }, names)).toBe(true);
    const bad = [
      'https://as.example/',
      'HTTPS://as.example',
      '',
      [],
      names,
      ['https://as.example', 'https://rs.example'],
      ['https://as.example', 'https://as.example'],
    ];
    for (const aud of bad) expect(isSoleAudience({ aud }, names), String(aud)).toBe(false);
    expect(isSoleAudience({}, names)).toBe(false);
  });
});

describe('times', () => {
  const now = epochSeconds(1_800_000_000);

  it('expire in the second of exp', () => {
    expect(isExpired(epochSeconds(now + 1), now)).toBe(false);
    expect(isExpired(now, now)).toBe(true);
    expect(isExpired(epochSeconds(now - 1), now)).toBe(true);
  });

  it('are in the future only beyond the leeway, which is zero by default', () => {
    expect(isInFuture(now, now)).toBe(false);
    expect(isInFuture(epochSeconds(now + 1), now)).toBe(true);
    expect(isInFuture(epochSeconds(now + 30), now, 30)).toBe(false);
    expect(isInFuture(epochSeconds(now + 31), now, 30)).toBe(true);
  });
});
