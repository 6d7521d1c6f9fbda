import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { constantTimeEquals } from '../constant-time-equals.js';
import { bcryptLibrary } from './bcrypt-library.js';
import type { Pbkdf2Hash, SecretHash } from './secret-hash.js';

/** bcrypt ignores further bytes: whatever follows would match. */
const BCRYPT_MAX_BYTES = 72;

const derive = promisify(pbkdf2);

/**
 * Whether a hash is that of a secret. Computed on a thread of the pool. A secret of more than 72 bytes or with a NUL
 * matches no bcrypt hash.
 */
export function matchesSecretHash(secret: string, hash: SecretHash): Promise<boolean> {
  return hash.kind === 'pbkdf2' ? matchesPbkdf2(secret, hash) : matchesBcrypt(secret, hash.encoded);
}

async function matchesPbkdf2(
  secret: string,
  { digest, iterations, salt, hash }: Pbkdf2Hash,
): Promise<boolean> {
  return constantTimeEquals(await derive(secret, salt, iterations, hash.length, digest), hash);
}

async function matchesBcrypt(secret: string, encoded: string): Promise<boolean> {
  if (Buffer.byteLength(secret, 'utf8') > BCRYPT_MAX_BYTES || secret.includes('\0')) return false;
  return bcryptLibrary().verify(secret, encoded);
}
