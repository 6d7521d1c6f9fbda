import { readPbkdf2Hash } from './pbkdf2-hash.js';
import type { BcryptHash, SecretHash, SecretHashRefusal } from './secret-hash.js';

/** Minimum and maximum cost of a bcrypt hash. Verifying the maximum takes about a second. */
const BCRYPT_COSTS = [4, 14] as const;

// Unused bits are 0, as libraries write them, so the last characters of salt and hash are restricted.
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/;

/** Prefix of Spring Security that names the algorithm of a hash. */
const SPRING_BCRYPT = '{bcrypt}';

/**
 * Parses a secret hash of another server: bcrypt (`$2a$`, `$2b$`, `$2y$`, also after Spring's `{bcrypt}`), PBKDF2 with
 * SHA-1, SHA-256 or SHA-512 as `$pbkdf2-sha256$i=…,l=…$salt$hash` or `$pbkdf2-sha256$iterations$salt$hash`, and
 * Django's `pbkdf2_sha256$iterations$salt$hash`. Never throws. An accepted hash takes at most a few seconds of one core
 * to verify.
 */
export function parseSecretHash(text: string): SecretHash | SecretHashRefusal {
  const encoded = text.startsWith(SPRING_BCRYPT) ? text.slice(SPRING_BCRYPT.length) : text;
  const bcrypt = BCRYPT.exec(encoded);
  if (bcrypt !== null) return readBcrypt(encoded, Number(bcrypt[1]));
  return readPbkdf2Hash(text) ?? { refusal: `must be ${ACCEPTED}` };
}

/** The accepted formats, for error messages. */
const ACCEPTED =
  'a hash of bcrypt ($2a$, $2b$ or $2y$, also behind {bcrypt}) or of PBKDF2 with SHA-1, SHA-256 or SHA-512 ' +
  "($pbkdf2-sha256$i=25000,l=32$salt$hash, or Django's pbkdf2_sha256$iterations$salt$hash)";

function readBcrypt(encoded: string, cost: number): BcryptHash | SecretHashRefusal {
  const [least, most] = BCRYPT_COSTS;
  if (cost < least || cost > most)
    return { refusal: `has bcrypt cost ${cost}; it must be ${least} to ${most}` };
  return { kind: 'bcrypt', encoded };
}
