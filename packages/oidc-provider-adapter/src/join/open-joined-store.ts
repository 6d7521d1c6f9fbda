import { secureRandom } from '@vestibule/crypto';
import { KeyEncryptionError, UnopenedDataKeysError } from '@vestibule/crypto/data-keys';
import { databaseFault, openStore, SchemaTooOldError, type Store } from '@vestibule/database';
import { OutdatedServerError, systemClock } from '@vestibule/protocol';
import type { CheckedOptions } from './check-options.js';
import { JoinError } from './join-error.js';

const OPEN_TIMEOUT_MS = 10_000;

/** How to open the store. */
export interface StoreOpening
  extends Pick<CheckedOptions, 'databaseUrl' | 'encryptionKeys' | 'signingAlgorithms'> {
  readonly onProblem: (problem: string) => void;
  /** Default: ten seconds. */
  readonly openTimeoutMs?: number | undefined;
}

/**
 * Opens the shared store.
 * @throws JoinError if that is not possible in time
 */
export async function openJoinedStore({
  databaseUrl,
  encryptionKeys,
  signingAlgorithms,
  onProblem,
  openTimeoutMs = OPEN_TIMEOUT_MS,
}: StoreOpening): Promise<Store> {
  let isOpen = false;
  let lastError: unknown;
  const store = openStore({
    connection: { url: databaseUrl, applicationName: 'vestibule node-oidc-provider' },
    keyEncryptionKeys: encryptionKeys,
    clock: systemClock,
    random: secureRandom,
    signingAlgorithms,
    onProblem: (error) => {
      lastError = error;
      if (isOpen) onProblem(storeProblem(error));
    },
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(lastError), openTimeoutMs);
  });
  try {
    await Promise.race([store.opened, late]);
    isOpen = true;
    return store;
  } catch (error) {
    await store.close();
    throw new JoinError([storeProblem(error)]);
  } finally {
    clearTimeout(timer);
  }
}

/** A problem of the store as a sentence with the remedy. The messages of the driver contain no secret. */
function storeProblem(error: unknown): string {
  if (error instanceof UnopenedDataKeysError || error instanceof KeyEncryptionError)
    return 'encryptionKeys: do not decrypt the data keys of this database. Set it to ENCRYPTION_KEYS of the services.';
  if (error instanceof SchemaTooOldError)
    return `databaseUrl: the database has the schema of an older version (${error.missing[0]} is missing). Run \`vestibule db migrate\` of the version of this package.`;
  if (error instanceof OutdatedServerError) return `databaseUrl: ${error.message}.`;
  const fault = databaseFault(error);
  if (fault === 'refused')
    return 'databaseUrl: the database refuses the login. Check user, password and database name.';
  if (error === undefined) return 'databaseUrl: the database is too slow to open the store in time.';
  if (fault === 'unreachable')
    return 'databaseUrl: the database cannot be reached. Check host and port, and that it runs.';
  return `databaseUrl: ${error instanceof Error ? error.message : String(error)}`;
}
