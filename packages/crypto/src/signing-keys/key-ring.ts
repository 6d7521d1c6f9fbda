import { type Clock, coalescedRuns, nowSeconds } from '@vestibule/protocol';
import type { AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import type { JWK } from 'jose';
import type { Encryptor } from '../data-keys/encryptor.js';
import type { DecryptionKey, KeyHint, SigningKey, VerificationKey } from '../jwt/jose-keys.js';
import { type ImportedKey, importStoredKey } from './imported-key.js';
import { openPrivateJwk } from './key-pair.js';
import { KeyStateError } from './key-state-error.js';
import type { KeySetName, SigningKeyStore, StoredSigningKey } from './signing-key-store.js';

/** Dependencies of a key ring. */
export interface KeyRingDependencies {
  readonly store: SigningKeyStore;
  readonly encryptor: Encryptor;
  readonly clock: Clock;
  readonly keySet: KeySetName;
  /** Minimum time between reads that unknown key ids cause, in milliseconds. Default: one second. */
  readonly unknownKidIntervalMs?: number;
}

/** One of the server's key sets, decrypted in memory. Its functions do not use `this`. */
export interface KeyRing {
  /**
   * Returns the current signing key of an algorithm.
   * @throws KeyStateError when there is no active one.
   */
  readonly signingKey: (algorithm: AsymmetricAlgorithm) => SigningKey;
  /**
   * Finds the key that a token names, unless it has expired. An unknown key id causes one read, at most one per
   * interval; errors of that read are passed on to every lookup of an unknown id in that interval.
   */
  readonly verificationKeys: (hint: KeyHint) => Promise<readonly VerificationKey[]>;
  /** Finds the keys that decrypt with an algorithm: the one that a token names, or all if it names none. */
  readonly decryptionKeys: (hint: KeyHint) => Promise<readonly DecryptionKey[]>;
  /**
   * Whether a public key is or ever was one of this server, in any key set and state, deleted keys included: by its
   * thumbprint (RFC 7638), as of the last read.
   */
  readonly hasEverHeld: (thumbprint: string) => boolean;
  /** Returns the public keys to publish: pending, active, and retired ones until they expire. */
  readonly publicJwks: () => { readonly keys: readonly JWK[] };
  /**
   * Reads the keys again. If that fails, the keys in memory stay in use. Calls during a read share the next one, so the
   * result is never older than the call.
   */
  readonly refresh: () => Promise<void>;
}

/** Anyone can send unknown ids, and these must not keep a key unknown for long that has just begun to sign. */
const UNKNOWN_KID_INTERVAL_MS = 1_000;

/**
 * Opens one of the server's key sets.
 * @throws DecryptionError when a private key cannot be decrypted.
 */
export async function openKeyRing(dependencies: KeyRingDependencies): Promise<KeyRing> {
  const { clock, unknownKidIntervalMs = UNKNOWN_KID_INTERVAL_MS } = dependencies;
  let { keys, everHeld } = await readRing(dependencies, new Map());
  let readForUnknownAtMs = Number.NEGATIVE_INFINITY;
  let readForUnknown: Promise<void> | undefined;

  const readings = coalescedRuns(async () => {
    ({ keys, everHeld } = await readRing(dependencies, keys));
  });
  const refreshForUnknown = async () => {
    const elapsedMs = clock.nowMs() - readForUnknownAtMs;
    if (elapsedMs < 0 || elapsedMs >= unknownKidIntervalMs) {
      readForUnknownAtMs = clock.nowMs();
      readForUnknown = readings.next();
    }
    await readForUnknown;
  };
  /** Retired keys also expire between two reads. */
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
    hasEverHeld: (thumbprint) => everHeld.has(thumbprint),
    publicJwks: () => ({ keys: live().map(({ published }) => published) }),
    refresh: readings.next,
  };
}

/**
 * Decrypts the private keys of a set as JWKs, active ones first and newest first, without expired ones. Only for an
 * authorization server in this process that signs by itself.
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

/** What a ring holds in memory. */
interface RingContent {
  readonly keys: ImportedKeys;
  /** Thumbprints of every key that was ever stored. */
  readonly everHeld: ReadonlySet<string>;
}

async function readRing(
  { store, encryptor, clock, keySet }: KeyRingDependencies,
  known: ImportedKeys,
): Promise<RingContent> {
  const stored = await store.list(keySet, nowSeconds(clock));
  // Read last, so that it covers every listed key.
  const everHeld = new Set(await store.listEveryKid());
  const imported = await Promise.all(
    stored.map((key) => importStoredKey(encryptor, key, known.get(key.kid))),
  );
  return { keys: new Map(imported.map((key) => [key.stored.kid, key])), everHeld };
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
