import { isDeepStrictEqual } from 'node:util';
import type { ClientUses } from '@vestibule/clients';
import {
  type DataKeys,
  type Digester,
  type Encryptor,
  ensureSigningKey,
  KEY_REFRESH_INTERVAL_MS,
  KeyEncryptionError,
  type KeyEncryptionKeys,
  type KeyPairEncryptionAlgorithm,
  type KeyRing,
  openDataKeys,
  openKeyRing,
  openPrivateJwks,
  type UnopenedDataKey,
  UnopenedDataKeysError,
} from '@vestibule/crypto';
import type { AsymmetricAlgorithm, Clock, RandomSource } from '@vestibule/protocol';
import type { StoreClock } from '@vestibule/tokens';
import { startClientUses } from './client-uses.js';
import type { ConnectionOptions } from './connection-pool.js';
import { type DatabaseClock, databaseClock } from './database-clock.js';
import { requiredMigrations } from './migrations/required-schema.js';
import { USE_INTERVAL_SECONDS } from './noted-uses.js';
import { type Database, openDatabase } from './open-database.js';
import type { ReencryptReport, ReencryptRound } from './reencrypt/reencrypt.js';
import { type ServerChange, type ServerWatch, startServerWatch } from './replication/server-watch.js';
import { startMaintenanceJob } from './rounds.js';
import { systemTime } from './system-time.js';

/** What a store is opened with. */
export interface StoreOptions {
  readonly connection: ConnectionOptions;
  readonly keyEncryptionKeys: KeyEncryptionKeys;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Algorithms for which the provider's key set must have an active key; missing keys are made. Default none. */
  readonly signingAlgorithms?: readonly AsymmetricAlgorithm[];
  /** The same for the key set of the federation entity, which is opened only where this is given. */
  readonly federationAlgorithms?: readonly AsymmetricAlgorithm[];
  /**
   * Algorithms for which it must have a key that others encrypt to (OpenID Connect Core 1.0 section 10.2); missing keys
   * are made. Default none.
   */
  readonly encryptionAlgorithms?: readonly KeyPairEncryptionAlgorithm[];
  /**
   * Told why the keys cannot be opened, yet or at all, or cannot be read again, and once each time of other data keys
   * than before that cannot be opened; for the log.
   */
  readonly onProblem: (error: unknown) => void;
  /** Told of changes of the server behind the address: promotions and asynchronous standbys; for the log. */
  readonly onServerChange?: (change: ServerChange) => void;
}

/** The database together with the keys that open what lies in it: what every service works on. */
export interface Store {
  readonly database: Database;
  readonly encryptor: Encryptor;
  readonly digester: Digester;
  readonly providerKeys: KeyRing;
  /** The keys of the federation entity; those who did not ask for them when they opened the store do not get them. */
  readonly federationKeys: Pick<KeyRing, 'signingKey' | 'publicJwks'>;
  /** The time as the database has it, on which all processes over it agree. */
  readonly clock: StoreClock & Pick<DatabaseClock, 'settle' | 'jumps'>;
  /** The private keys of that ring, for an authorisation server in this process that signs by itself. */
  readonly openPrivateKeys: () => ReturnType<typeof openPrivateJwks>;
  /** Told of uses of clients, which it writes at most once in five minutes for each. */
  readonly clientUses: ClientUses;
  /**
   * Resolves when the keys are open; rejects with KeyEncryptionError when the key-encryption keys do not open them,
   * which no waiting mends. Need not be listened to.
   */
  readonly opened: Promise<void>;
  /**
   * The last step of the rotation of a key that encrypts, for an operator's command: encrypts every record anew that is
   * not under the key that encrypts now, so that earlier keys are needed no more. Processes seal under an earlier key
   * until they have read the keys again, so a round that begins within a minute of the activation may leave some, as
   * does one that meets rows in use; the keys before are not needed any more once a later round meets and leaves none.
   * Rejects with UnopenedDataKeysError when a data key cannot be opened.
   */
  reencrypt(round?: ReencryptRound): Promise<ReencryptReport>;
  /**
   * Reads the keys for digests again at once, which happens at intervals in any case. Gives how often they have changed
   * since they were opened. Rejects when they cannot be read.
   */
  refreshDigestKeys(): Promise<number>;
  /** The standbys of the server, and how often another server was found in its place, as of the last look. */
  readonly server: Pick<ServerWatch, 'standbys' | 'promotions'>;
  /** Stored data keys that the key-encryption keys do not open, as of the last reading; none before the first. */
  unopenedDataKeys(): readonly UnopenedDataKey[];
  /** Resolves when the store can be used now, rejects when it cannot. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The store is used before its database was there to give the keys. */
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
 * Opens a store. It returns at once and goes on trying until the database answers and the keys are open; before that
 * everything that needs a key fails with {@link StoreNotOpenError}. A schema that is older than this version needs, or
 * not there yet, is waited for; a newer one will do. It gives up when the key-encryption keys are not those of the
 * database, and then stays closed. Keys are read again at their interval, and when another server took the place of the
 * one before (a promoted standby): then feeds announce that anything may have changed.
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
    ask: database.nowMs,
    clock: options.clock,
    monotonic,
    machine: systemTime,
  });
  // Readiness tells when the database does not answer.
  const adjusting = startMaintenanceJob({
    round: clock.adjust,
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
  let toldUnopened: readonly UnopenedDataKey[] = [];
  const refreshDataKeys = async (): Promise<DataKeys> => {
    const { dataKeys } = use();
    await dataKeys.refresh();
    const unopened = dataKeys.unopened();
    const isTold = isDeepStrictEqual(unopened, toldUnopened);
    toldUnopened = unopened;
    if (!isTold && unopened.length > 0) options.onProblem(new UnopenedDataKeysError(unopened));
    return dataKeys;
  };
  const refreshKeys = async (): Promise<void> => {
    const { providerKeys, federationKeys } = use();
    await refreshDataKeys();
    await Promise.all([providerKeys.refresh(), federationKeys?.refresh()]);
  };
  const watching = startServerWatch({
    read: database.serverState,
    intervalMs: SERVER_INTERVAL_MS,
    onChange: (change) => {
      if (change.kind === 'promoted') {
        database.discard();
        if (keys !== undefined) refreshKeys().catch(options.onProblem);
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
      timer = setInterval(() => {
        refreshKeys().catch(options.onProblem);
      }, KEY_REFRESH_INTERVAL_MS).unref();
    };
    let told: string | undefined;
    const tryAgain = (error: unknown) => {
      if (isClosed) return;
      // Told once as long as it stays the same: an absent database would fill the log.
      if (String(error) !== told) options.onProblem(error);
      told = String(error);
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
    reencrypt: async (round) => {
      const dataKeys = await refreshDataKeys();
      const unopened = dataKeys.unopened();
      if (unopened.length > 0) throw new UnopenedDataKeysError(unopened);
      return database.reencrypt(dataKeys, round);
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
      await database.close();
    },
  };
}

/** The keys behind functions that ask for them at each use. */
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
      encrypt: async (plaintext, place) => use().dataKeys.encryptor.encrypt(plaintext, place),
      open: async (record, place) => use().dataKeys.encryptor.open(record, place),
    },
    digester: {
      digest: (kind, value) => use().dataKeys.digester.digest(kind, value),
      candidates: (kind, value) => use().dataKeys.digester.candidates(kind, value),
      hasEveryKey: () => use().dataKeys.digester.hasEveryKey(),
      matches: (kind, value, stored) => use().dataKeys.digester.matches(kind, value, stored),
    },
    providerKeys: {
      signingKey: (algorithm) => use().providerKeys.signingKey(algorithm),
      verificationKeys: async (hint) => use().providerKeys.verificationKeys(hint),
      decryptionKeys: async (hint) => use().providerKeys.decryptionKeys(hint),
      publicJwks: () => use().providerKeys.publicJwks(),
      refresh: async () => use().providerKeys.refresh(),
    },
    federationKeys: {
      signingKey: (algorithm) => federation().signingKey(algorithm),
      publicJwks: () => federation().publicJwks(),
    },
  };
}

/** Which keys count is told by the time of the store, whatever the machine's. */
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
