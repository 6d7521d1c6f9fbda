import type { KeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import type { KeySetName } from '@vestibule/crypto/signing-keys';
import type { Store } from '@vestibule/database';
import type { LoginClient } from '../../login/login-client.js';

/** How long copies of each published key set may be cached, in seconds, as set for the services that publish it. */
export type KeyCopySeconds = Readonly<Record<KeySetName, number>>;

/** What the pages about keys work on. */
export interface KeysPagesDeps {
  readonly store: Pick<Store, 'database' | 'encryptor' | 'digester' | 'clock' | 'unopenedDataKeys'>;
  readonly keyEncryptionKeys: KeyEncryptionKeys;
  readonly keyCopySeconds: KeyCopySeconds;
  /** The client of the console itself; absent if people log in at another provider. */
  readonly loginClient?: LoginClient | undefined;
}

/** Path of the pages about keys. */
export const KEYS_PATH = '/keys';
