import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSecretHash } from './parse-secret-hash.js';

const BCRYPT = '$2b$04$VMhI7ZihcyUX/0/I5nZBpe.JbUtf9PQfU1t5/YudeSFmxEfSyZPJ6';
const SALT = BCRYPT.slice(7);
const PHC = (parameters: string, hashBytes = 32, name = 'pbkdf2-sha256') =>
  `$${name}$${parameters}$${unpadded(16)}$${unpadded(hashBytes)}`;

function unpadded(bytes: number): string {
  return Buffer.alloc(bytes, 0xfb).toString('base64').replace(/=+$/, '');
}

const isRefused = (text: string) => 'refusal' in parseSecretHash(text);

describe('bcrypt hashes', () => {
  it.each(['2a', '2b', '2y'])('are accepted with the prefix $%s$, also after {bcrypt}', (version) => {
    const encoded = BCRYPT.replace('2b', version);
    expect(parseSecretHash(encoded)).toEqual({ kind: 'bcrypt', encoded });
    expect(parseSecretHash(`{bcrypt}${encoded}`)).toEqual({ kind: 'bcrypt', encoded });
  });

  it('are accepted with a cost from 4 to 14, and no other', () => {
    const accepted = Array.from({ length: 100 }, (_, cost) => String(cost).padStart(2, '0')).filter(
      (cost) => !isRefused(`$2b$${cost}$${SALT}`),
    );
    expect(accepted).toEqual(['04', '05', '06', '07', '08', '09', '10', '11', '12', '13', '14']);
    expect(parseSecretHash(`$2b$31$${SALT}`)).toEqual({
      refusal: 'has bcrypt cost 31; it must be 4 to 14',
    });
  });

  it.each([
    BCRYPT.replace('2b', '2x'),
    BCRYPT.replace('2b', '2'),
    BCRYPT.slice(0, -1),
    `${BCRYPT}a`,
    `${BCRYPT}\n`,
    ` ${BCRYPT}`,
    `{noop}${BCRYPT}`,
    `{bcrypt}{bcrypt}${BCRYPT}`,
    BCRYPT.replace('Bpe.', 'Bp*.'),
    // Bits that no library sets, so that the hash would match nothing.
    BCRYPT.replace('nZBpe.', 'nZBpf.'),
    `${BCRYPT.slice(0, -1)}7`,
  ])('are refused if nothing could match them: %j', (text) => {
    expect(isRefused(text)).toBe(true);
  });
});

describe('PBKDF2 hashes', () => {
  it.each([
    ['i=25000,l=32', 'pbkdf2-sha256', 'sha256', 25_000, 32],
    ['i=1', 'pbkdf2-sha512', 'sha512', 1, 64],
    ['1000', 'pbkdf2-sha1', 'sha1', 1_000, 20],
    ['1000', 'pbkdf2', 'sha1', 1_000, 20],
  ])('are accepted with %s for %s', (parameters, name, digest, iterations, bytes) => {
    expect(parseSecretHash(PHC(parameters, bytes, name))).toEqual({
      kind: 'pbkdf2',
      digest,
      iterations,
      salt: Buffer.alloc(16, 0xfb),
      hash: Buffer.alloc(bytes, 0xfb),
    });
  });

  it('are accepted in the format of Django, whose salt is text', () => {
    const hash = Buffer.alloc(32, 7);
    expect(parseSecretHash(`pbkdf2_sha256$1000000$pinchOfSalt$${hash.toString('base64')}`)).toEqual({
      kind: 'pbkdf2',
      digest: 'sha256',
      iterations: 1_000_000,
      salt: Buffer.from('pinchOfSalt'),
      hash,
    });
  });

  it.each([
    [PHC('i=3000001'), 'takes 3000001 iterations; it must take at most 3000000'],
    [PHC('i=1500001', 64), 'takes 3000002 iterations; it must take at most 3000000'],
    [PHC('i=9999999999'), 'takes 9999999999 iterations; it must take at most 3000000'],
    [PHC('i=1000,l=32', 31), 'declares a hash of 32 bytes but has 31'],
    [PHC('i=1000', 15), 'has a PBKDF2 hash of 15 bytes; it must have 16 to 64'],
    [PHC('i=1000', 65), 'has a PBKDF2 hash of 65 bytes; it must have 16 to 64'],
    [
      `$pbkdf2-sha256$i=1$${unpadded(129)}$${unpadded(32)}`,
      'has a salt of 129 bytes; it must have at most 128',
    ],
    [`pbkdf2_sha256$1$salt$${Buffer.alloc(31).toString('base64')}`, 'has 31 bytes, but sha256 gives 32'],
  ])('are refused beyond their limits: %s', (text, refusal) => {
    expect(parseSecretHash(text)).toEqual({ refusal });
  });

  it.each(['i=0', 'i=-1', 'i=1e3', 'i=01', '0', '', 'l=32,i=1', 'i=1,l=0'])(
    'are refused with the parameters %j',
    (parameters) => {
      expect(isRefused(PHC(parameters))).toBe(true);
    },
  );

  it('are refused with another digest', () => {
    for (const name of ['pbkdf2-md5', 'pbkdf2-sha256-x', 'argon2id', 'scrypt'])
      expect(isRefused(PHC('i=1', 32, name))).toBe(true);
  });
});

it('refuses every other text with a list of the supported formats, and never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(parseSecretHash(text)).toEqual({ refusal: expect.stringContaining('bcrypt') });
    }),
  );
});

// Any change of an accepted hash makes another hash or an invalid one, but never one that costs more than the limits
// allow.
it('never accepts a hash beyond the limits, however an accepted one is changed', () => {
  const seeds = [BCRYPT, `{bcrypt}${BCRYPT}`, PHC('i=25000,l=32'), PHC('1000', 20, 'pbkdf2')];
  fc.assert(
    fc.property(
      fc.constantFrom(...seeds),
      fc.nat(),
      fc.nat(3),
      fc.string({ unit: fc.constantFrom(...'0123456789$=,./+abcil{}') }),
      (seed, at, dropped, inserted) => {
        const start = at % seed.length;
        const parsed = parseSecretHash(seed.slice(0, start) + inserted + seed.slice(start + dropped));
        if ('refusal' in parsed) return;
        if (parsed.kind === 'bcrypt') {
          const cost = Number(parsed.encoded.slice(4, 6));
          expect(cost >= 4 && cost <= 14 && parsed.encoded.length === 60).toBe(true);
        } else {
          expect(parsed.iterations).toBeGreaterThanOrEqual(1);
          expect(parsed.iterations).toBeLessThanOrEqual(3_000_000);
          expect(parsed.hash.length >= 16 && parsed.hash.length <= 64).toBe(true);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
