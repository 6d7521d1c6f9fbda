import { describe, expect, it } from 'vitest';
import { parseSecretHash } from './parse-secret-hash.js';
import type { SecretHash } from './secret-hash.js';
import { matchesSecretHash } from './verify-secret-hash.js';

/** Hashes that other programs wrote, each with its secret. */
const WRITTEN: readonly (readonly [program: string, hash: string, secret: string])[] = [
  ['Spring Security 6.3', '{bcrypt}$2a$10$BhRjRqc58LTbFyp6zjcmFut/V/9DLUsIepoML3mDeenSOLc8Z0uuS', 'hunter2'],
  ['bcrypt of Go', '$2a$05$H08PAImEaXo1Sov4ZVgNkOTjO7syepSe1OGWr1E7IJLXwn0EH9eIK', 'hunter2'],
  [
    'PBKDF2 of Ory Hydra',
    '$pbkdf2-sha256$i=25000,l=32$KxQyE9tfMKwqzTaRWoFJ3A$KdF6tg+3MLDiji1Hb74NmJ/BD5g+LxI3rCFFwY/k//M',
    'hunter2',
  ],
  ['bcrypt of Python, $2a$', '$2a$04$EPhqZo7sVvv7lZm2xf03SOaciA2ZLeGe/0sz4Q8U648V9QsbrMeQa', 'hunter2'],
  ['bcrypt of Python, $2b$', '$2b$04$VMhI7ZihcyUX/0/I5nZBpe.JbUtf9PQfU1t5/YudeSFmxEfSyZPJ6', 'hunter2'],
  [
    'bcrypt of Python, 72 bytes',
    '$2b$04$Yxv06Okg.7dtIcZkJCxPleKLptttH10.dh4ks46V2QmJ5/jgjn8Hu',
    'x'.repeat(72),
  ],
  ['crypt of libxcrypt, $2y$', '$2y$05$abcdefghijklmnopqrstuuoXuKqgZXLiJqzfmMXDDhSFPIvxV7t8.', 'hunter2'],
  [
    'Django 5.2',
    'pbkdf2_sha256$1000000$pxVNnqja3OHKdRA6Q8Nreo$R4qEYphgzmPcvdRNvsq/JtZ7ottFpInUl/c2Ha5A+TQ=',
    'short',
  ],
  [
    'Django 5.2, 1000 iterations',
    'pbkdf2_sha256$1000$pinchofsalt$7BP7y/4OMF67091JexqspDXnB1Op0zLPGHTbK01p+/w=',
    'short',
  ],
  ['Django 5.2, SHA-1', 'pbkdf2_sha1$1000$pinchofsalt$FgwFJS7SRi/FOfa7igpPGZT1RTM=', 'short'],
  ['passlib, SHA-1', '$pbkdf2$1000$EUKIkdL6X2vt3Ttn7L3Xug$/VqHnPhUzP12Bj9q0DyIkMfDHo8', 'legacy secret'],
  [
    'passlib, SHA-256',
    '$pbkdf2-sha256$1000$UupdKwUAoLTWes/ZuzemNA$/YAU48VDYSMZw/XuUG787OAacm3zEWVt9nsi5aDtauc',
    'legacy secret',
  ],
  [
    'passlib, SHA-512',
    '$pbkdf2-sha512$1000$KkUopfS.t9a61zqHMOYcww$eB5ptj8Mm6mANbVgsIPAowVpVj5BsiHFograTKrt2perMifMNteQw7Hpe5XT72q0N/axJEMfEWHy3eR.o88UIw',
    'legacy secret',
  ],
];

describe('a hash of another program', () => {
  it.each(WRITTEN)('matches its secret and no other: %s', async (_program, written, secret) => {
    const hash = read(written);
    expect(await matchesSecretHash(secret, hash)).toBe(true);
    for (const other of ['', `${secret} `, secret.slice(1), secret.toUpperCase()])
      expect(await matchesSecretHash(other, hash)).toBe(false);
  });
});

// bcrypt uses 72 bytes and, in many libraries, stops at a NUL, so that longer secrets would match with any ending.
it('does not match secrets that bcrypt would truncate', async () => {
  const long = read('$2b$04$Yxv06Okg.7dtIcZkJCxPleKLptttH10.dh4ks46V2QmJ5/jgjn8Hu');
  expect(await matchesSecretHash('x'.repeat(73), long)).toBe(false);
  expect(await matchesSecretHash('x'.repeat(256), long)).toBe(false);
  const short = read('$2b$04$VMhI7ZihcyUX/0/I5nZBpe.JbUtf9PQfU1t5/YudeSFmxEfSyZPJ6');
  expect(await matchesSecretHash('hunter2\0', short)).toBe(false);
  expect(await matchesSecretHash('hunter2\0x', short)).toBe(false);
});

// Otherwise one guess would delay every other request of the process.
it('does not block the event loop', async () => {
  const slow = WRITTEN.filter(([program]) => ['Spring Security 6.3', 'Django 5.2'].includes(program));
  expect(slow).toHaveLength(2);
  for (const [, written, secret] of slow) {
    let isDone = false;
    let turns = 0;
    const verified = matchesSecretHash(secret, read(written)).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      turns += 1;
      await new Promise(setImmediate);
    }
    expect(await verified).toBe(true);
    expect(turns).toBeGreaterThan(100);
  }
});

function read(text: string): SecretHash {
  const parsed = parseSecretHash(text);
  if ('refusal' in parsed) throw new TypeError(parsed.refusal);
  return parsed;
}
