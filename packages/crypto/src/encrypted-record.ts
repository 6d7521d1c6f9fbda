import type { KeyObject } from 'node:crypto';
import type { RandomSource } from '@vestibule/protocol';
import { decryptGcm, encryptGcm } from './aes-gcm.js';
import { DecryptionError } from './decryption-error.js';
import type { AssociatedData } from './encryptor.js';

const VERSION = 'v1';
const KEY_ID = /^[A-Za-z0-9]{1,64}$/;

/** A data key for encrypting. */
export interface DataEncryptionKey {
  readonly id: string;
  readonly key: KeyObject;
}

/**
 * Encrypts a text for one place: `v1.<data key id>.<iv>.<ciphertext>.<tag>`.
 * @throws TypeError when it is no text, or holds half of a surrogate pair and could not be given back as it was.
 */
export function encryptText(
  dataEncryptionKey: DataEncryptionKey,
  plaintext: string,
  place: AssociatedData,
  random: RandomSource,
): string {
  if (typeof plaintext !== 'string' || /\p{Surrogate}/u.test(plaintext))
    throw new TypeError('only well-formed text can be sealed');
  const input = { plaintext: Buffer.from(plaintext), context: contextOf(place), random };
  return `${VERSION}.${dataEncryptionKey.id}.${encryptGcm(dataEncryptionKey.key, input)}`;
}

/**
 * The id of the data key that a record names.
 * @throws DecryptionError when the record is malformed.
 */
export function keyIdOfRecord(record: string): string {
  const [version, keyId] = record.split('.', 2);
  if (version !== VERSION || keyId === undefined || !KEY_ID.test(keyId))
    throw new DecryptionError('malformed record');
  return keyId;
}

/**
 * The text that was encrypted for a place under this key.
 * @throws DecryptionError when the record is malformed, changed, or was encrypted for another place.
 */
export function openRecord(
  dataEncryptionKey: DataEncryptionKey,
  record: string,
  place: AssociatedData,
): string {
  const encrypted = record.slice(`${VERSION}.${dataEncryptionKey.id}.`.length);
  const plaintext = decryptGcm(dataEncryptionKey.key, encrypted, contextOf(place));
  if (plaintext === undefined) throw new DecryptionError('record does not open');
  return Buffer.from(plaintext).toString('utf8');
}

/** A JSON array, because no two places write the same one. */
function contextOf({ table, column, row }: AssociatedData): string {
  return JSON.stringify([VERSION, table, column, row]);
}
