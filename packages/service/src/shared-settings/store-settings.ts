import {
  KeyEncryptionError,
  type KeyEncryptionKeys,
  parseKeyEncryptionKeys,
} from '@vestibule/crypto/data-keys';
import Type from 'typebox';
import { secretValueSetting } from '../settings/setting.js';
import { SHARED_SETTINGS } from './shared-settings.js';

/** Settings of services that use the store. */
export const STORE_SETTINGS = {
  DATABASE_URL: SHARED_SETTINGS.DATABASE_URL,
  DATABASE_POOL_SIZE: SHARED_SETTINGS.DATABASE_POOL_SIZE,
  ENCRYPTION_KEYS: secretValueSetting<KeyEncryptionKeys>({
    description: 'Key-encryption keys. The first key encrypts; all of them decrypt.',
    form: 'comma-separated keys of 32 random bytes in base64 or base64url',
    read: readKeyEncryptionKeys,
  }),
};

/** Settings of services that delete expired rows. */
export const CLEAN_UP_SETTINGS = {
  CLEAN_UP_INTERVAL_SECONDS: Type.Integer({
    description: 'Interval between deletions of expired rows, in seconds.',
    default: 60,
    minimum: 1,
    maximum: 86_400,
  }),
  CHANGES_RETENTION_SECONDS: Type.Integer({
    description:
      'How long a reader of the stream of changes may be away and still continue where it stopped, in seconds: how long events of ended sessions, tokens and clients are kept. The shortest value among the services counts.',
    default: 604_800,
    minimum: 86_400,
    maximum: 7_776_000,
  }),
};

function readKeyEncryptionKeys(text: string) {
  try {
    return { value: parseKeyEncryptionKeys(text) };
  } catch (error) {
    if (error instanceof KeyEncryptionError) return { problem: `cannot be used: ${error.message}` };
    throw error;
  }
}
