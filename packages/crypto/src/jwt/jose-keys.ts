import type { KeyObject } from 'node:crypto';
import type { KeyManagementAlgorithm, SigningAlgorithm } from '@vestibule/protocol/constants';
import type { CryptoKey } from 'jose';

/** A private key or secret that signs with one algorithm. */
export interface SigningKey {
  readonly algorithm: SigningAlgorithm;
  /** `kid` header of what it signs. */
  readonly kid?: string;
  readonly key: CryptoKey | KeyObject;
}

/** A public key or secret that verifies one algorithm. */
export interface VerificationKey {
  readonly algorithm: SigningAlgorithm;
  readonly key: CryptoKey | KeyObject;
}

/** A public key or secret that encrypts with one key management algorithm. */
export interface EncryptionKey {
  readonly algorithm: KeyManagementAlgorithm;
  /** `kid` header of what is encrypted to it. */
  readonly kid?: string;
  readonly key: CryptoKey | KeyObject;
}

/** A private key or secret that decrypts with one key management algorithm. */
export interface DecryptionKey {
  readonly algorithm: KeyManagementAlgorithm;
  readonly key: CryptoKey | KeyObject;
}

/** What a token's header says about its key, not verified. It may select among known keys and never provides one. */
export interface KeyHint {
  readonly alg: string;
  readonly kid: string | undefined;
}

/** What an encrypted token's header says about its key, not verified. */
export interface DecryptionKeyHint extends KeyHint {
  readonly enc: string;
}

/** Finds the keys that may verify a token; none if it cannot be verified. Errors are passed on. */
export type VerificationKeySource = (
  hint: KeyHint,
) => readonly VerificationKey[] | Promise<readonly VerificationKey[]>;

/** Finds the keys that may decrypt a token; none if it cannot be decrypted. Errors are passed on. */
export type DecryptionKeySource = (
  hint: DecryptionKeyHint,
) => readonly DecryptionKey[] | Promise<readonly DecryptionKey[]>;
