import type { KeyObject } from 'node:crypto';
import type { RandomSource } from '@vestibule/protocol';
import { DecryptionError } from '../jwt/decryption-error.js';
import { decryptGcm, encryptGcm } from './aes-gcm.js';
import type { AssociatedData } from './encryptor.js';

const VERSION = 'v1';
const KEY_ID = /^[A-Za-z0-9]{1,64}$/;

/** A data key for encryption. */
export interface DataEncryptionKey {
  readonly id: string;
  readonly key: KeyObject;
}

/**
 * Encrypts a string with associated data: `v1.<data key id>.<iv>.<ciphertext>.<tag>`.
 * @throws TypeError when it is not a string, or contains a lone surrogate, which could not be restored.
 */
export function encryptText(
  dataEncryptionKey: DataEncryptionKey,
  plaintext: string,
  associatedData: AssociatedData,
  random: RandomSource,
): string {
  if (typeof plaintext !== 'string' || /\p{Surrogate}/u.test(plaintext))
    throw new TypeError('only a well-formed string can be encrypted');
  const input = { plaintext: Buffer.from(plaintext), context: contextOf(associatedData), random };
  return `${VERSION}.${dataEncryptionKey.id}.${encryptGcm(dataEncryptionKey.key, input)}`;
}

/**
 * Returns the data key id of a record.
 * @throws DecryptionError when the record is malformed.
 */
export function keyIdOfRecord(record: string): string {
  const [version, keyId] = record.split('.', 2);
  if (version !== VERSION || keyId === undefined || !KEY_ID.test(keyId))
    throw new DecryptionError('malformed record');
  return keyId;
}

/**
 * Decrypts a record under this key and associated data.
 * @throws DecryptionError when the record is malformed, changed, or has other associated data.
 */
export function openRecord(
  dataEncryptionKey: DataEncryptionKey,
  record: string,
  associatedData: AssociatedData,
): string {
  const encrypted = record.slice(`${VERSION}.${dataEncryptionKey.id}.`.length);
  const plaintext = decryptGcm(dataEncryptionKey.key, encrypted, contextOf(associatedData));
  if (plaintext === undefined) throw new DecryptionError('record does not open');
  return Buffer.from(plaintext).toString('utf8');
}

/** A JSON array, which is unique for each table, column and row. */
function contextOf({ table, column, row }: AssociatedData): string {
  return JSON.stringify([VERSION, table, column, row]);
}
