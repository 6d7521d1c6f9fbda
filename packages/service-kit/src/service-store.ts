import {
  KeyEncryptionError,
  type KeyEncryptionKeys,
  parseKeyEncryptionKeys,
  secureRandom,
} from '@vestibule/crypto';
import { openStore, type Store } from '@vestibule/database';
import { type AsymmetricAlgorithm, systemClock } from '@vestibule/protocol';
import type { Logger } from './logger.js';
import type { Dependency } from './readiness.js';
import type { Secret } from './secret.js';
import { secretValueSetting } from './setting.js';
import { SHARED_SETTINGS } from './shared-settings.js';

/** The settings of a service that works on the store. */
export const STORE_SETTINGS = {
  DATABASE_URL: SHARED_SETTINGS.DATABASE_URL,
  DATABASE_POOL_SIZE: SHARED_SETTINGS.DATABASE_POOL_SIZE,
  ENCRYPTION_KEYS: secretValueSetting<KeyEncryptionKeys>({
    description: 'Key-encryption keys. The first one seals, all of them open.',
    form: 'comma-separated keys of 32 random bytes in base64 or base64url',
    read: readKeyEncryptionKeys,
  }),
};

/** What opening the store of a service takes. */
export interface ServiceStoreOptions {
  readonly name: string;
  readonly settings: {
    readonly DATABASE_URL: Secret;
    readonly DATABASE_POOL_SIZE: number;
    readonly ENCRYPTION_KEYS: KeyEncryptionKeys;
  };
  readonly logger: Logger;
  /** Algorithms for which this service makes signing keys where there are none. Default none. */
  readonly signingAlgorithms?: readonly AsymmetricAlgorithm[];
}

/** The store of a service, and how readiness and shutdown see it. */
export interface ServiceStore {
  readonly store: Store;
  readonly dependency: Dependency;
}

/** Opens the store of a service as its settings say; it becomes usable when the database is. */
export function openServiceStore({
  name,
  settings,
  logger,
  signingAlgorithms,
}: ServiceStoreOptions): ServiceStore {
  const store = openStore({
    connection: {
      url: settings.DATABASE_URL.reveal(),
      poolSize: settings.DATABASE_POOL_SIZE,
      applicationName: `vestibule ${name}`,
      onConnectionError: (error) => logger.warn({ error, dependency: 'store' }, 'a connection broke'),
    },
    keyEncryptionKeys: settings.ENCRYPTION_KEYS,
    clock: systemClock,
    random: secureRandom,
    ...(signingAlgorithms && { signingAlgorithms }),
    onProblem: (error) => logger.warn({ error, dependency: 'store' }, 'the keys of the store cannot be read'),
  });
  return { store, dependency: { name: 'store', check: store.check, close: store.close } };
}

function readKeyEncryptionKeys(text: string) {
  try {
    return { value: parseKeyEncryptionKeys(text) };
  } catch (error) {
    if (error instanceof KeyEncryptionError) return { problem: `cannot be used: ${error.message}` };
    throw error;
  }
}
