import { isDeepStrictEqual } from 'node:util';
import type { ClientUses } from '@vestibule/clients';
import {
  type DataKeys,
  type Digester,
  type Encryptor,
  KEY_REFRESH_INTERVAL_MS,
  KeyEncryptionError,
  type KeyEncryptionKeys,
  openDataKeys,
  type UnopenedDataKey,
  UnopenedDataKeysError,
} from '@vestibule/crypto/data-keys';
import {
  ensureSigningKey,
  type KeyPairEncryptionAlgorithm,
  type KeyRing,
  openKeyRing,
  openPrivateJwks,
} from '@vestibule/crypto/signing-keys';
import type { Clock, RandomSource } from '@vestibule/protocol';
import type { AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import type { StoreClock } from '@vestibule/tokens/cache';
import { startClientUses } from './client-uses.js';
import type { ConnectionOptions } from './connection-pool.js';
import { type DatabaseClock, databaseClock } from './database-clock.js';
import { startMaintenanceJob } from './maintenance-job.js';
import { requiredMigrations } from './migrations/required-schema.js';
import { type Database, openDatabase } from './open-database.js';
import { USE_INTERVAL_SECONDS } from './record-client-use.js';
import type { ReencryptReport, ReencryptRun } from './reencrypt/reencrypt.js';
import { type ServerChange, type ServerWatch, startServerWatch } from './replication/server-watch.js';
import { systemTime } from './system-time.js';

/** Options of a store. */
export interface StoreOptions {
  readonly connection: ConnectionOptions;
  readonly keyEncryptionKeys: KeyEncryptionKeys;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Algorithms for which the provider's key set must have an active key; missing keys are created. Default: none. */
  readonly signingAlgorithms?: readonly AsymmetricAlgorithm[];
  /** The same for the key set of the federation entity, which is opened only if this is set. */
  readonly federationAlgorithms?: readonly AsymmetricAlgorithm[];
  /**
   * Algorithms for which the provider's key set must have an encryption key (OpenID Connect Core 1.0 section 10.2);
   * missing keys are created. Default: none.
   */
  readonly encryptionAlgorithms?: readonly KeyPairEncryptionAlgorithm[];
  /**
   * Called with the reason, for the log, when the keys cannot be opened (yet, or at all) or refreshed, and once
   * whenever the set of data keys that cannot be opened changes.
   */
  readonly onProblem: (error: unknown) => void;
  /** Called on changes of the database server, for the log: promotions and asynchronous standbys. */
  readonly onServerChange?: (change: ServerChange) => void;
}

/** The database with the keys for its contents, for all services. */
export interface Store {
  readonly database: Database;
  readonly encryptor: Encryptor;
  readonly digester: Digester;
  readonly providerKeys: KeyRing;
  /** The keys of the federation entity. They throw unless `federationAlgorithms` was set. */
  readonly federationKeys: Pick<KeyRing, 'signingKey' | 'publicJwks'>;
  /** The clock of the database, on which all processes agree. */
  readonly clock: StoreClock & Pick<DatabaseClock, 'settle' | 'jumps'>;
  /**
   * Opens the private keys of the provider's key ring, for an authorization server in this process that signs itself.
   */
  readonly openPrivateKeys: () => ReturnType<typeof openPrivateJwks>;
  /** Records uses of clients, at most one in five minutes per client. */
  readonly clientUses: ClientUses;
  /**
   * Resolves when the keys are open. Rejects with KeyEncryptionError when the key-encryption keys do not open them,
   * which is final. It need not be handled.
   */
  readonly opened: Promise<void>;
  /**
   * Re-encrypts every record that is not encrypted under the current key: the last step of rotating a data-encryption
   * key, for a command of the operator. Processes use the previous key until they have refreshed their keys, so a run
   * within a minute of the activation may leave records, and so does a run that meets locked rows. The earlier keys are
   * no longer needed when a later run finds and leaves none. Rejects with UnopenedDataKeysError when a data key cannot
   * be opened.
   */
  reencrypt(options?: ReencryptRun): Promise<ReencryptReport>;
  /**
   * Refreshes the digest keys at once; they are refreshed at intervals anyway. Returns how often they have changed
   * since they were opened. Rejects when they cannot be read.
   */
  refreshDigestKeys(): Promise<number>;
  /** Standbys and promotions of the server, as of the last check. */
  readonly server: Pick<ServerWatch, 'standbys' | 'promotions'>;
  /** Lists stored data keys that the key-encryption keys do not open, as of the last refresh; none before the first. */
  unopenedDataKeys(): readonly UnopenedDataKey[];
  /** Resolves when the store can be used now, and rejects when it cannot. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Thrown when the store is used before its keys are open. */
export class StoreNotOpenError extends Error {
  override readonly name = 'StoreNotOpenError';
}

const RETRY_MS = 250;
const CLOCK_INTERVAL_MS = 1_000;
const SERVER_INTERVAL_MS = 1_000;

interface OpenedKeys {
  readonly dataKeys: DataKeys;
  readonly providerKeys: KeyRing;
  readonly federationKeys: KeyRing | undefined;
}

/**
 * Opens a store. It returns at once and keeps trying until the database responds and the keys are open. Until then,
 * everything that needs a key fails with {@link StoreNotOpenError}. It waits for a schema that is missing or older than
 * this version needs; a newer one is accepted. If the key-encryption keys are not those of the database, it stops
 * trying. Keys are refreshed at an interval, and when the server was replaced (a promoted standby); then invalidation
 * streams send an event that covers everything.
 */
export function openStore(options: StoreOptions): Store {
  const database = openDatabase(options.connection);
  const clientUses = startClientUses({
    clients: database.clients,
    clock: options.clock,
    intervalSeconds: USE_INTERVAL_SECONDS,
    onError: options.onProblem,
  });
  const monotonic = () => performance.now();
  const clock = databaseClock({
    readEpochMs: database.nowMs,
    clock: options.clock,
    monotonic,
    machine: systemTime,
  });
  // Readiness reports an unresponsive database.
  const adjusting = startMaintenanceJob({
    run: clock.adjust,
    intervalMs: CLOCK_INTERVAL_MS,
    onError: () => undefined,
  });
  let keys: OpenedKeys | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const use = (): OpenedKeys => {
    if (keys === undefined) throw new StoreNotOpenError('the keys of the store are not open yet');
    return keys;
  };
  let reportedUnopened: readonly UnopenedDataKey[] = [];
  const refreshDataKeys = async (): Promise<DataKeys> => {
    const { dataKeys } = use();
    await dataKeys.refresh();
    const unopened = dataKeys.unopened();
    const isReported = isDeepStrictEqual(unopened, reportedUnopened);
    reportedUnopened = unopened;
    if (!isReported && unopened.length > 0) options.onProblem(new UnopenedDataKeysError(unopened));
    return dataKeys;
  };
  const refreshKeys = async (): Promise<void> => {
    const { providerKeys, federationKeys } = use();
    await refreshDataKeys();
    await Promise.all([providerKeys.refresh(), federationKeys?.refresh()]);
  };
  let refreshing: Promise<void> | undefined;
  const refreshInBackground = () => {
    const refresh = refreshKeys();
    refresh.catch((error: unknown) => {
      if (!isClosed) options.onProblem(error);
    });
    refreshing = refresh.catch(() => undefined);
  };
  const watching = startServerWatch({
    read: database.serverState,
    intervalMs: SERVER_INTERVAL_MS,
    onChange: (change) => {
      if (change.kind === 'promoted') {
        database.discard();
        if (keys !== undefined) refreshInBackground();
      }
      options.onServerChange?.(change);
    },
  });
  const opened = new Promise<void>((resolve, reject) => {
    const attempt = async () => {
      await clock.adjust();
      await database.requireSchema(await requiredMigrations());
      await watching.look();
      keys = await openKeys(options, database, clock);
      resolve();
      if (!isClosed) timer = setInterval(refreshInBackground, KEY_REFRESH_INTERVAL_MS).unref();
    };
    let reported: string | undefined;
    const tryAgain = (error: unknown) => {
      if (isClosed) return;
      // The same problem is reported once, because an absent database would fill the log.
      if (String(error) !== reported) options.onProblem(error);
      reported = String(error);
      if (error instanceof KeyEncryptionError) reject(error);
      else timer = setTimeout(start, RETRY_MS);
    };
    const start = () => {
      attempt().catch(tryAgain);
    };
    start();
  });
  opened.catch(() => undefined);
  return {
    database,
    ...keysOf(use),
    clock,
    openPrivateKeys: () =>
      openPrivateJwks({
        store: database.signingKeys,
        encryptor: use().dataKeys.encryptor,
        clock,
        keySet: 'provider',
      }),
    clientUses,
    opened,
    reencrypt: async (runOptions) => {
      const dataKeys = await refreshDataKeys();
      const unopened = dataKeys.unopened();
      if (unopened.length > 0) throw new UnopenedDataKeysError(unopened);
      return database.reencrypt(dataKeys, runOptions);
    },
    server: watching,
    refreshDigestKeys: async () => (await refreshDataKeys()).digestKeyChanges(),
    unopenedDataKeys: () => keys?.dataKeys.unopened() ?? [],
    check: async () => {
      use();
      await database.ping();
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all([adjusting.stop(), watching.stop()]);
      await clientUses.stop();
      // It has several steps, and those after the close would fail.
      await refreshing;
      await database.close();
    },
  };
}

/** Wraps the keys in functions that obtain them at each use. */
function keysOf(
  use: () => OpenedKeys,
): Pick<Store, 'encryptor' | 'digester' | 'providerKeys' | 'federationKeys'> {
  const federation = () => {
    const { federationKeys } = use();
    if (federationKeys === undefined) throw new TypeError('the store was opened without federation keys');
    return federationKeys;
  };
  return {
    encryptor: {
      encrypt: async (plaintext, associatedData) =>
        use().dataKeys.encryptor.encrypt(plaintext, associatedData),
      open: async (record, associatedData) => use().dataKeys.encryptor.open(record, associatedData),
    },
    digester: {
      digest: (kind, value) => use().dataKeys.digester.digest(kind, value),
      find: (look, whileKeyMissing) => use().dataKeys.digester.find(look, whileKeyMissing),
      matches: (kind, value, ...stored) => use().dataKeys.digester.matches(kind, value, ...stored),
      matchesAvailable: (kind, value, ...stored) =>
        use().dataKeys.digester.matchesAvailable(kind, value, ...stored),
      availableDigests: (kind, value) => use().dataKeys.digester.availableDigests(kind, value),
    },
    providerKeys: {
      signingKey: (algorithm) => use().providerKeys.signingKey(algorithm),
      verificationKeys: async (hint) => use().providerKeys.verificationKeys(hint),
      decryptionKeys: async (hint) => use().providerKeys.decryptionKeys(hint),
      hasEverHeld: (thumbprint) => use().providerKeys.hasEverHeld(thumbprint),
      publicJwks: () => use().providerKeys.publicJwks(),
      refresh: async () => use().providerKeys.refresh(),
    },
    federationKeys: {
      signingKey: (algorithm) => federation().signingKey(algorithm),
      publicJwks: () => federation().publicJwks(),
    },
  };
}

/** Opens the keys. Their validity is decided by the clock of the store, not of the machine. */
async function openKeys(options: StoreOptions, database: Database, clock: StoreClock): Promise<OpenedKeys> {
  const { random, keyEncryptionKeys } = options;
  const { signingAlgorithms = [], encryptionAlgorithms = [], federationAlgorithms } = options;
  const dataKeys = await openDataKeys({ store: database.dataKeys, keyEncryptionKeys, clock, random });
  const signing = { store: database.signingKeys, encryptor: dataKeys.encryptor, clock };
  for (const algorithm of signingAlgorithms)
    await ensureSigningKey(signing, { keySet: 'provider', use: 'sig', algorithm });
  for (const algorithm of encryptionAlgorithms)
    await ensureSigningKey(signing, { keySet: 'provider', use: 'enc', algorithm });
  for (const algorithm of federationAlgorithms ?? [])
    await ensureSigningKey(signing, { keySet: 'federation', use: 'sig', algorithm });
  return {
    dataKeys,
    providerKeys: await openKeyRing({ ...signing, keySet: 'provider' }),
    federationKeys: federationAlgorithms && (await openKeyRing({ ...signing, keySet: 'federation' })),
  };
}
