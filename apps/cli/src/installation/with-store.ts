import { secureRandom } from '@vestibule/crypto';
import type { KeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { openStore, type Store } from '@vestibule/database';
import { systemClock } from '@vestibule/protocol';
import { type Environment, loadSettings } from '@vestibule/service/settings';
import { STORE_SETTINGS } from '@vestibule/service/shared-settings';
import Type from 'typebox';
import type { Cli } from '../frame/cli.js';
import { connectionOptions, withEnvironment } from './with-database.js';

/** Context of a command with a database and keys. */
export interface OpenKeysInstallation {
  readonly store: Store;
  readonly keyEncryptionKeys: KeyEncryptionKeys;
  /** Environment of the services on this store, for their settings. */
  readonly environment: Environment;
}

const StoreSettings = Type.Object({
  DATABASE_URL: STORE_SETTINGS.DATABASE_URL,
  ENCRYPTION_KEYS: STORE_SETTINGS.ENCRYPTION_KEYS,
});

/**
 * Opens the database and its keys for one operation and closes them afterwards. It does not wait: an unreachable
 * database or a missing schema, for which a service would wait, ends the command.
 * @throws errors of the operation, and errors that describe an unusable database
 */
export async function withStore<Result>(
  cli: Pick<Cli, 'environment'>,
  operate: (installation: OpenKeysInstallation) => Promise<Result>,
): Promise<Result> {
  return withEnvironment(cli, async (environment) => {
    const { DATABASE_URL, ENCRYPTION_KEYS } = loadSettings(StoreSettings, environment);
    let giveUp: (problem: unknown) => void = () => undefined;
    const problem = new Promise<never>((_, reject) => {
      giveUp = reject;
    });
    const store = openStore({
      connection: connectionOptions(DATABASE_URL),
      keyEncryptionKeys: ENCRYPTION_KEYS,
      clock: systemClock,
      random: secureRandom,
      onProblem: (error) => giveUp(error),
    });
    try {
      await Promise.race([store.opened, problem]);
      return await operate({ store, keyEncryptionKeys: ENCRYPTION_KEYS, environment });
    } finally {
      await store.close();
    }
  });
}
