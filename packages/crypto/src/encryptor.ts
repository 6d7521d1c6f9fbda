/** The place of an encrypted value; a record that was encrypted for one place opens nowhere else. */
export interface AssociatedData {
  readonly table: string;
  readonly column: string;
  /** The primary key of the row. */
  readonly row: string;
}

/** Encrypts recoverable secrets for storage with AES-256-GCM under a data key, bound to their place. */
export interface Encryptor {
  /** The record `v1.<data key id>.<iv>.<ciphertext>.<tag>`, base64url parts. */
  encrypt(plaintext: string, place: AssociatedData): Promise<string>;
  /**
   * The plaintext.
   * @throws DecryptionError when the record is malformed, its key unknown, or it was not encrypted for this place. Never a
   *   default.
   */
  open(record: string, place: AssociatedData): Promise<string>;
}
