import type { Digest } from '@vestibule/crypto/data-keys';
import { nowSeconds } from '@vestibule/protocol';
import type { MonotonicClock } from '@vestibule/protocol/runtime';
import type { AccessToken } from '../access-token.js';
import type { InactiveReason } from '../inactive-reason.js';
import { readSelfContained } from '../self-contained-token.js';
import { type FoundToken, notFound, type TokenStateDeps, withClientExpiry } from '../token-state.js';
import { tokenSyntax } from '../token-syntax.js';
import { digestTag } from './cache-tag.js';
import { identifierTags, selfContainedTags, type TokenReading } from './cached-token.js';
import type { Deduplication } from './deduplicated-token.js';
import type { InvalidatedKeys } from './invalidated-keys.js';
import type { InvalidationLog, ReadMark } from './invalidation-log.js';
import type { NegativeEntries } from './negative-entries.js';
import type { SharedTokenLevel, SharedTokenState } from './shared-token-level.js';
import { latestMs, type StoreClock } from './store-clock.js';
import type { StoreRead, StoreReads } from './store-reads.js';
import type { TokenCacheCounters } from './token-cache-counters.js';
import type { Tombstones } from './tombstones.js';

/** Dependencies for reading a token that is not in the memory of this process. */
export interface TokenReaderDeps
  extends Pick<TokenStateDeps, 'issuer' | 'keys' | 'authorizationServerKeys' | 'digester'> {
  /** The keys of the digester. */
  readonly digestKeys: Pick<InvalidatedKeys, 'areCurrent' | 'readAgain'>;
  readonly clock: StoreClock;
  readonly monotonic: MonotonicClock;
  readonly log: InvalidationLog;
  readonly counters: TokenCacheCounters;
  /** The shared level; optional. */
  readonly shared?: SharedTokenLevel;
  /** How long a state of the shared level may be used after the store was read, in milliseconds. */
  readonly sharedTtlMs: number;
  /** How long the signature of a self-contained token counts as verified, in milliseconds. */
  readonly verifiedForMs: number;
  readonly store: StoreReads;
  readonly negativeEntries: NegativeEntries;
  readonly tombstones: Pick<Tombstones, 'invalidate'>;
  readonly deduplication: Deduplication;
}

/**
 * Outcome of reading a token.
 *
 * - `live`: a state that is valid now
 * - `client_expired`: a state that is not valid now, but is again if the client is renewed
 * - `not_found`: no state, and why
 * - `uncertain`: not found, but the token may be stored under a digest key that cannot be opened
 */
export type TokenReadOutcome =
  | {
      readonly kind: 'live';
      readonly reading: TokenReading;
      /**
       * Resolves when the write to the shared level is done, successful or not. Until then later callers join this read
       * instead of reading the store again. Never rejects; absent when nothing is written.
       */
      readonly written?: Promise<void> | undefined;
    }
  | { readonly kind: 'client_expired'; readonly reading: TokenReading }
  | { readonly kind: 'not_found'; readonly found: FoundToken }
  | { readonly kind: 'uncertain' };

/** Reads the state of a token from the shared level or the store. Rejects when the store fails. */
export function readToken(deps: TokenReaderDeps, text: string, mark: ReadMark): Promise<TokenReadOutcome> {
  switch (tokenSyntax(text)) {
    case 'identifier':
      return readIdentifier(deps, text, mark);
    case 'jwt':
      return readJwt(deps, text, mark);
    case 'impossible':
      return Promise.resolve(nothing('malformed'));
  }
}

async function readIdentifier(
  deps: TokenReaderDeps,
  text: string,
  mark: ReadMark,
): Promise<TokenReadOutcome> {
  if (!deps.digestKeys.areCurrent()) await deps.digestKeys.readAgain();
  const outcome = await deps.digester.find<TokenReadOutcome>(
    (digests) => readByDigests(deps, digests('access-token', text), mark),
    uncertain,
  );
  return outcome ?? nothing('unknown');
}

async function uncertain(): Promise<TokenReadOutcome> {
  return { kind: 'uncertain' };
}

async function readByDigests(
  deps: TokenReaderDeps,
  digests: readonly [Digest, ...Digest[]],
  mark: ReadMark,
): Promise<TokenReadOutcome | undefined> {
  if (deps.shared !== undefined) {
    const states = await sharedStates(deps.shared, digests);
    const shared = sharedOutcome(deps, digests, { states, mark });
    if (shared !== undefined) return shared;
  }
  const { result: stored, readAtMs } = await readStore(deps, () => deps.store.tokens(digests));
  if (stored === undefined) {
    deps.negativeEntries.note(digests.map(digestTag), deps.monotonic());
    return undefined;
  }
  const { digest } = stored;
  const token = deps.deduplication.token(stored.token);
  const tags = identifierTags(deps.deduplication, digest, token);
  const reading = {
    state: { format: 'identifier', token, serializedResponse: undefined },
    tags,
    mark,
  } as const;
  if (hasClientEnded(deps, token)) {
    // An older state on the shared level must not be used. Filling would not replace it, so it is invalidated.
    deps.negativeEntries.note([digestTag(digest)], deps.monotonic());
    deps.tombstones.invalidate([digest]);
    return { kind: 'client_expired', reading };
  }
  if (deps.log.isContradicted(mark, tags)) return { kind: 'live', reading };
  // The caller does not wait for it. An invalidation that overtakes it wins.
  return { kind: 'live', reading, written: deps.shared?.fill(digest, token, readAtMs) };
}

/** Whether the registration of the client has expired. It can be renewed, so that the token may live again. */
function hasClientEnded(
  { clock }: Pick<TokenReaderDeps, 'clock'>,
  { clientExpiresAt }: AccessToken,
): boolean {
  return clientExpiresAt !== undefined && nowSeconds(clock) >= clientExpiresAt;
}

/** Reads the states under the digests from the shared level; there is nearly always one. */
async function sharedStates(
  shared: SharedTokenLevel,
  digests: readonly [Digest, ...Digest[]],
): Promise<readonly SharedTokenState[]> {
  return digests.length === 1
    ? [await shared.get(digests[0])]
    : Promise.all(digests.map((digest) => shared.get(digest)));
}

/** The states under the digests on the shared level, read at the mark. */
interface SharedReading {
  readonly states: readonly SharedTokenState[];
  readonly mark: ReadMark;
}

/** Returns the first live state of the shared level, unless an invalidation event here contradicts it. */
function sharedOutcome(
  { clock, monotonic, log, sharedTtlMs, counters, negativeEntries, deduplication }: TokenReaderDeps,
  digests: readonly Digest[],
  { states, mark }: SharedReading,
): TokenReadOutcome | undefined {
  const index = states.findIndex(({ outcome }) => outcome === 'live');
  const [digest, state] = [digests[index], states[index]];
  if (digest === undefined || !isLive(state)) return undefined;
  const token = deduplication.token(state.token);
  // The greatest possible age. A state from the future is ignored: it was forged, or the clock of the store was
  // changed.
  const ageMs = latestMs(clock) - state.readAtMs;
  if (ageMs < 0 || ageMs >= sharedTtlMs) return undefined;
  /** From here on only the monotonic clock of this process counts. */
  const readAtMs = monotonic() - ageMs;
  const tags = identifierTags(deduplication, digest, token);
  if (negativeEntries.isOlder(readAtMs, tags) || !log.isSharedReadIntact(readAtMs, tags)) return undefined;
  counters.sharedHits += 1;
  const reading = {
    state: { format: 'identifier', token, serializedResponse: undefined },
    tags,
    mark: { ...mark, atMs: readAtMs },
    usableForMs: sharedTtlMs,
    staleFallbackForMs: sharedTtlMs,
  } as const;
  return { kind: 'live', reading };
}

async function readJwt(deps: TokenReaderDeps, text: string, mark: ReadMark): Promise<TokenReadOutcome> {
  const token = await readSelfContained(deps, text);
  if (token === undefined) return nothing('not_ours');
  // Revocations are kept only as long as the tokens that they cover.
  if (nowSeconds(deps.clock) >= token.expiresAt) return nothing('expired', token.jti);
  const { result: status } = await readStore(deps, () => deps.store.statuses(token));
  if (status.isRevoked) return nothing('revoked', token.jti);
  const known = withClientExpiry(deps.deduplication.token(token), status);
  const reading = {
    state: { format: 'jwt', token: known, serializedResponse: undefined },
    tags: selfContainedTags(deps.deduplication, token),
    mark,
    usableForMs: deps.verifiedForMs,
  } as const;
  return { kind: hasClientEnded(deps, known) ? 'client_expired' : 'live', reading };
}

async function readStore<Result>(
  { counters }: TokenReaderDeps,
  read: () => Promise<StoreRead<Result>>,
): Promise<StoreRead<Result>> {
  try {
    const result = await read();
    counters.storeReads += 1;
    return result;
  } catch (error) {
    counters.faults += 1;
    throw error;
  }
}

function isLive(
  state: SharedTokenState | undefined,
): state is Extract<SharedTokenState, { outcome: 'live' }> {
  return state?.outcome === 'live';
}

function nothing(reason: InactiveReason, jti?: string): TokenReadOutcome {
  return { kind: 'not_found', found: notFound(reason, jti) };
}
