/** A hash of a secret that is slow to guess. */
export type SecretHash = BcryptHash | Pbkdf2Hash;

/** A bcrypt hash, including its cost and salt. */
export interface BcryptHash {
  readonly kind: 'bcrypt';
  readonly encoded: string;
}

/** A PBKDF2 hash (RFC 8018 section 5.2). */
export interface Pbkdf2Hash {
  readonly kind: 'pbkdf2';
  readonly digest: 'sha1' | 'sha256' | 'sha512';
  readonly iterations: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** Why a text is not a supported hash, as the end of a sentence that begins with its name. */
export interface SecretHashRefusal {
  readonly refusal: string;
}
