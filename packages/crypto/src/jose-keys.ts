import type { KeyObject } from 'node:crypto';
import type { KeyManagementAlgorithm, SigningAlgorithm } from '@vestibule/protocol';
import type { CryptoKey } from 'jose';

/** A private key or a secret that signs with one algorithm. */
export interface SigningKey {
  readonly algorithm: SigningAlgorithm;
  /** Stands in the header of what it signs. */
  readonly kid?: string;
  readonly key: CryptoKey | KeyObject;
}

/** A public key or a secret that verifies one algorithm. */
export interface VerificationKey {
  readonly algorithm: SigningAlgorithm;
  readonly key: CryptoKey | KeyObject;
}

/** A public key or a secret that encrypts with one key management algorithm. */
export interface EncryptionKey {
  readonly algorithm: KeyManagementAlgorithm;
  /** Stands in the header of what is encrypted to it. */
  readonly kid?: string;
  readonly key: CryptoKey | KeyObject;
}

/** A private key or a secret that decrypts one key management algorithm. */
export interface DecryptionKey {
  readonly algorithm: KeyManagementAlgorithm;
  readonly key: CryptoKey | KeyObject;
}

/** What a token says of its key. Not verified: it may choose among keys of ours, and never brings one. */
export interface KeyHint {
  readonly alg: string;
  readonly kid: string | undefined;
}

/** What an encrypted token says of its key, not verified. */
export interface DecryptionKeyHint extends KeyHint {
  readonly enc: string;
}

/** Finds the keys that may verify a token; none when it cannot be verified. What it throws is passed on. */
export type VerificationKeySource = (
  hint: KeyHint,
) => readonly VerificationKey[] | Promise<readonly VerificationKey[]>;

/** Finds the keys that may decrypt a token; none when it cannot be decrypted. What it throws is passed on. */
export type DecryptionKeySource = (
  hint: DecryptionKeyHint,
) => readonly DecryptionKey[] | Promise<readonly DecryptionKey[]>;
