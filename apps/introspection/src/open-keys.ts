import {
  type DataKeys,
  KEY_REFRESH_INTERVAL_MS,
  type KeyRing,
  openDataKeys,
  openKeyRing,
  parseKeyEncryptionKeys,
  secureRandom,
} from '@vestibule/crypto';
import type { Database } from '@vestibule/database';
import { systemClock } from '@vestibule/protocol';
import type { Dependency, Logger, Secret } from '@vestibule/service-kit';

/** What the keys of the service are opened with. */
export interface KeySources {
  readonly database: Pick<Database, 'dataKeys' | 'signingKeys'>;
  readonly encryptionKeys: readonly Secret[];
  readonly logger: Logger;
}

/** The keys of the service, kept up to date until they are closed. */
export interface OpenKeys extends Dependency {
  readonly digester: DataKeys['digester'];
  readonly keyRing: KeyRing;
}

/** Opens the data keys and the provider's key ring, and reads both again regularly, so that keys can rotate. */
export async function openKeys({ database, encryptionKeys, logger }: KeySources): Promise<OpenKeys> {
  const keyEncryptionKeys = parseKeyEncryptionKeys(encryptionKeys.map((key) => key.reveal()).join(','));
  const shared = { clock: systemClock, random: secureRandom };
  const dataKeys = await openDataKeys({ ...shared, store: database.dataKeys, keyEncryptionKeys });
  const { sealer, digester } = dataKeys;
  const keyRing = await openKeyRing({ ...shared, store: database.signingKeys, sealer, keySet: 'provider' });
  const refresh = async () => {
    try {
      await dataKeys.refresh();
      await keyRing.refresh();
    } catch (error) {
      // The keys held so far stay in use.
      logger.warn({ error }, 'the keys could not be read again');
    }
  };
  const timer = setInterval(() => void refresh(), KEY_REFRESH_INTERVAL_MS).unref();
  return { name: 'keys', digester, keyRing, close: async () => clearInterval(timer) };
}
