import type { Pbkdf2Hash, SecretHashRefusal } from './secret-hash.js';

/** Maximum number of iterations for one hash, over all of its blocks. */
const MAX_ITERATIONS = 3_000_000;

/** Minimum and maximum length of a hash in bytes. Shorter ones could match by chance. */
const HASH_BYTES = [16, 64] as const;

/** Maximum length of a salt, in bytes. */
const MAX_SALT_BYTES = 128;

const DIGEST_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;

type Digest = keyof typeof DIGEST_BYTES;

// At most one padding, whose characters are counted below; passlib writes `.` instead of `+`.
const MODULAR =
  /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=([1-9]\d{0,9})(?:,l=([1-9]\d{0,3}))?|([1-9]\d{0,9}))\$([A-Za-z0-9+/.]+)\$([A-Za-z0-9+/.]+)$/;

const DJANGO = /^pbkdf2_(sha1|sha256|sha512)\$([1-9]\d{0,9})\$([!-#%-~]+)\$([A-Za-z0-9+/]+={0,2})$/;

/** Parses a PBKDF2 hash in modular crypt or Django format; `undefined` for any other text. */
export function readPbkdf2Hash(text: string): Pbkdf2Hash | SecretHashRefusal | undefined {
  return readModular(text) ?? readDjango(text);
}

function readModular(text: string): Pbkdf2Hash | SecretHashRefusal | undefined {
  const [, name = 'sha1', parameter, length, bare, salt = '', hash = ''] = MODULAR.exec(text) ?? [];
  const iterations = parameter ?? bare;
  if (iterations === undefined) return undefined;
  const bytes = decode(hash);
  const saltBytes = decode(salt);
  if (bytes === undefined || saltBytes === undefined) return undefined;
  if (length !== undefined && bytes.length !== Number(length))
    return { refusal: `declares a hash of ${length} bytes but has ${bytes.length}` };
  return bounded(name as Digest, Number(iterations), { salt: saltBytes, hash: bytes });
}

/** Django uses the characters of the salt, without decoding. */
function readDjango(text: string): Pbkdf2Hash | SecretHashRefusal | undefined {
  const [, name, iterations, salt, hash] = DJANGO.exec(text) ?? [];
  if (name === undefined || iterations === undefined || salt === undefined) return undefined;
  const bytes = decode(hash?.replace(/=+$/, '') ?? '');
  if (bytes === undefined) return undefined;
  const digest = name as Digest;
  if (bytes.length !== DIGEST_BYTES[digest])
    return { refusal: `has ${bytes.length} bytes, but ${digest} gives ${DIGEST_BYTES[digest]}` };
  return bounded(digest, Number(iterations), { salt: Buffer.from(salt, 'utf8'), hash: bytes });
}

function bounded(
  digest: Digest,
  iterations: number,
  { salt, hash }: Pick<Pbkdf2Hash, 'salt' | 'hash'>,
): Pbkdf2Hash | SecretHashRefusal {
  const [least, most] = HASH_BYTES;
  if (hash.length < least || hash.length > most)
    return { refusal: `has a PBKDF2 hash of ${hash.length} bytes; it must have ${least} to ${most}` };
  if (salt.length > MAX_SALT_BYTES)
    return { refusal: `has a salt of ${salt.length} bytes; it must have at most ${MAX_SALT_BYTES}` };
  const blocks = Math.ceil(hash.length / DIGEST_BYTES[digest]);
  if (iterations * blocks > MAX_ITERATIONS)
    return { refusal: `takes ${iterations * blocks} iterations; it must take at most ${MAX_ITERATIONS}` };
  return { kind: 'pbkdf2', digest, iterations, salt, hash };
}

/** Decodes canonical unpadded base64. */
function decode(text: string): Buffer | undefined {
  const standard = text.replaceAll('.', '+');
  const bytes = Buffer.from(standard, 'base64');
  return bytes.length > 0 && bytes.toString('base64').replace(/=+$/, '') === standard ? bytes : undefined;
}
