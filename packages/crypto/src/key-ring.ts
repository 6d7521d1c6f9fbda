import { type AsymmetricAlgorithm, type Clock, nowSeconds, sharedRuns } from '@vestibule/protocol';
import type { JWK } from 'jose';
import type { Encryptor } from './encryptor.js';
import { type ImportedKey, importStoredKey } from './imported-key.js';
import type { DecryptionKey, KeyHint, SigningKey, VerificationKey } from './jose-keys.js';
import { openPrivateJwk } from './key-pair.js';
import { KeyStateError } from './key-state-error.js';
import type { KeySetName, SigningKeyStore, StoredSigningKey } from './signing-key-store.js';

/** What a key ring is made of. */
export interface KeyRingDependencies {
  readonly store: SigningKeyStore;
  readonly encryptor: Encryptor;
  readonly clock: Clock;
  readonly keySet: KeySetName;
  /** How long unknown key ids cause no further reading, in milliseconds; a second by default. */
  readonly unknownKidIntervalMs?: number;
}

/** One of our key sets, opened and held in memory. Its functions can be passed on by themselves. */
export interface KeyRing {
  /**
   * The key that signs with an algorithm now.
   * @throws KeyStateError when there is no active one.
   */
  readonly signingKey: (algorithm: AsymmetricAlgorithm) => SigningKey;
  /**
   * The key of ours that a token names, unless it has expired. A key id that is not known causes one reading, at most
   * one in each interval; what that reading throws is passed on.
   */
  readonly verificationKeys: (hint: KeyHint) => Promise<readonly VerificationKey[]>;
  /** The keys of ours that decrypt an algorithm: the one that a token names, or all when it names none. */
  readonly decryptionKeys: (hint: KeyHint) => Promise<readonly DecryptionKey[]>;
  /** The public keys for publication: pending, active, and retired ones until they expire. */
  readonly publicJwks: () => { readonly keys: readonly JWK[] };
  /**
   * Reads the keys again. When that fails, the keys held so far stay in use. No key is older than the call:
   * those who call while a reading is under way share the next one.
   */
  readonly refresh: () => Promise<void>;
}

/** Anyone can send unknown ids, and none of them may keep a key unknown for long that has just begun to sign. */
const UNKNOWN_KID_INTERVAL_MS = 1_000;

/**
 * Opens one of our key sets.
 * @throws DecryptionError when a private key does not open.
 */
export async function openKeyRing(dependencies: KeyRingDependencies): Promise<KeyRing> {
  const { clock, unknownKidIntervalMs = UNKNOWN_KID_INTERVAL_MS } = dependencies;
  let keys = await readKeys(dependencies, new Map());
  let readForUnknownAtMs = Number.NEGATIVE_INFINITY;

  const readings = sharedRuns(async () => {
    keys = await readKeys(dependencies, keys);
  });
  const refreshForUnknown = async () => {
    const elapsedMs = clock.nowMs() - readForUnknownAtMs;
    if (elapsedMs >= 0 && elapsedMs < unknownKidIntervalMs) return readings.present;
    readForUnknownAtMs = clock.nowMs();
    return readings.next();
  };
  /** Retired keys expire between two readings too. */
  const live = () => [...keys.values()].filter((key) => isLive(key, clock));
  const named = async ({ alg, kid }: KeyHint) => {
    if (kid !== undefined && !keys.has(kid)) await refreshForUnknown();
    return live().filter(
      (key) => key.stored.algorithm === alg && (kid === undefined || key.stored.kid === kid),
    );
  };
  return {
    signingKey: (algorithm) => newestSigningKey(live(), algorithm),
    verificationKeys: async (hint) =>
      hint.kid === undefined ? [] : (await named(hint)).flatMap((key) => key.verification ?? []),
    decryptionKeys: async (hint) => (await named(hint)).flatMap((key) => key.decryption ?? []),
    publicJwks: () => ({ keys: live().map(({ published }) => published) }),
    refresh: readings.next,
  };
}

/**
 * The private keys of a set as JWKs, those that sign first and newest first, without those that have expired: for an
 * authorisation server in this process that signs by itself. Nothing else may need them.
 */
export async function openPrivateJwks({
  store,
  encryptor,
  clock,
  keySet,
}: KeyRingDependencies): Promise<readonly JWK[]> {
  const stored = await store.list(keySet, nowSeconds(clock));
  const rank = ({ state, activatedAt }: StoredSigningKey) =>
    state === 'active' ? Number.POSITIVE_INFINITY : (activatedAt ?? 0);
  const signsFirst = stored.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)));
  return Promise.all(signsFirst.map((key) => openPrivateJwk(encryptor, key)));
}

type ImportedKeys = ReadonlyMap<string, ImportedKey>;

async function readKeys(
  { store, encryptor, clock, keySet }: KeyRingDependencies,
  known: ImportedKeys,
): Promise<ImportedKeys> {
  const stored = await store.list(keySet, nowSeconds(clock));
  const imported = await Promise.all(
    stored.map((key) => importStoredKey(encryptor, key, known.get(key.kid))),
  );
  return new Map(imported.map((key) => [key.stored.kid, key]));
}

function isLive({ stored }: ImportedKey, clock: Clock): boolean {
  return stored.expiresAt === undefined || stored.expiresAt > nowSeconds(clock);
}

function newestSigningKey(keys: readonly ImportedKey[], algorithm: AsymmetricAlgorithm): SigningKey {
  const active = keys.filter(
    ({ stored, signing }) => stored.state === 'active' && signing?.algorithm === algorithm,
  );
  const newest = active.toSorted((a, b) => (a.stored.activatedAt ?? 0) - (b.stored.activatedAt ?? 0)).at(-1);
  if (newest?.signing === undefined)
    throw new KeyStateError('there is no active signing key for the algorithm');
  return newest.signing;
}
