/** Where an encrypted value is stored. A record cannot be decrypted with other associated data. */
export interface AssociatedData {
  readonly table: string;
  readonly column: string;
  /** Primary key of the row. */
  readonly row: string;
}

/** Encrypts secrets that must be recovered, with AES-256-GCM under a data key, bound to their associated data. */
export interface Encryptor {
  /** Returns the record `v1.<data key id>.<iv>.<ciphertext>.<tag>` with base64url parts. */
  encrypt(plaintext: string, associatedData: AssociatedData): Promise<string>;
  /**
   * Decrypts a record.
   * @throws DecryptionError when the record is malformed, its key unknown, or its associated data differ. Never returns
   *   a default.
   */
  open(record: string, associatedData: AssociatedData): Promise<string>;
}
