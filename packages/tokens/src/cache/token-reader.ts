import type { Digest } from '@vestibule/crypto';
import { nowSeconds } from '@vestibule/protocol';
import type { AccessToken } from '../access-token.js';
import { digestName } from '../cache-tag.js';
import type { MonotonicClock } from '../invalidation-stream.js';
import { readSelfContained } from '../self-contained-token.js';
import type { SharedTokenLevel, SharedTokenState } from '../shared-token-level.js';
import { latestMs, type StoreClock } from '../store-clock.js';
import type { InactiveReason } from '../token-decision.js';
import { type FoundToken, notFound, type TokenStateDeps, withClientExpiry } from '../token-state.js';
import { tokenSyntax } from '../token-syntax.js';
import type { Deduplication } from './deduplicated-token.js';
import type { InvalidatedKeys } from './invalidated-keys.js';
import type { InvalidationLog, ReadMark } from './invalidation-log.js';
import type { ReadOutcome } from './joined-reads.js';
import type { NegativeEntries } from './negative-entries.js';
import { identifierNames, selfContainedNames, type TokenReading } from './remembered-token.js';
import type { Asked, StoreReads } from './store-reads.js';
import type { TokenCacheCounters } from './token-cache-counters.js';
import type { Tombstones } from './tombstones.js';

/** What reading a token that is not remembered takes. */
export interface TokenReaderDeps extends Pick<TokenStateDeps, 'issuer' | 'keys' | 'digester'> {
  /** Those of the digester. */
  readonly digestKeys: Pick<InvalidatedKeys, 'areCurrent' | 'readAgain'>;
  readonly clock: StoreClock;
  readonly monotonic: MonotonicClock;
  readonly log: InvalidationLog;
  readonly counters: TokenCacheCounters;
  /** Absent without a shared level. */
  readonly shared?: SharedTokenLevel;
  /** How long after the store was asked a state of the shared level may be used, in milliseconds. */
  readonly sharedTtlMs: number;
  /** How long the signature of a self-contained token counts as verified, in milliseconds. */
  readonly verifiedForMs: number;
  readonly store: StoreReads;
  readonly negativeEntries: NegativeEntries;
  readonly tombstones: Pick<Tombstones, 'invalidate'>;
  readonly deduplication: Deduplication;
}

/** What came of reading a token: its state with what it depends on, or why there is none. */
export type TokenReadOutcome = ReadOutcome & {
  readonly found: FoundToken;
  readonly reading?: TokenReading;
  /** That it was not found, and may be under a key for digests that cannot be opened: nobody can tell. */
  readonly isUntold?: boolean;
};

/** Reads the state of a token from the shared level or the store. A fault of the store rejects. */
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
  const hasEveryKey = deps.digester.hasEveryKey();
  const candidates = deps.digester.candidates('access-token', text);
  if (deps.shared !== undefined) {
    const states = await sharedStates(deps.shared, candidates);
    const shared = sharedOutcome(deps, candidates, { states, mark });
    if (shared !== undefined) return shared;
  }
  const { response: stored, askedAtMs } = await readStore(deps, () => deps.store.tokens.read(candidates));
  if (stored === undefined) {
    deps.negativeEntries.note(candidates.map(digestName), deps.monotonic());
    return hasEveryKey ? nothing('unknown') : { ...nothing('unknown'), isUntold: true };
  }
  const { digest } = stored;
  const token = deps.deduplication.token(stored.token);
  const names = identifierNames(deps.deduplication, digest, token);
  const reading = {
    state: { format: 'identifier', token, serializedResponse: undefined },
    names,
    mark,
  } as const;
  if (hasClientEnded(deps, token)) {
    // Nothing on the shared level may say otherwise that was read before: what fills it overwrites nothing.
    deps.negativeEntries.note([digestName(digest)], deps.monotonic());
    deps.tombstones.invalidate([digest]);
    return { ...something(reading), isOver: true };
  }
  if (!deps.log.isContradicted(mark, names)) {
    // Nobody waits for it; a burial that overtakes it holds.
    const landed = deps.shared?.fill(digest, token, askedAtMs);
    if (landed !== undefined) return { ...something(reading), landed };
  }
  return something(reading);
}

/** Whether the registration of the client has expired. It can be renewed, so that the token may live again. */
function hasClientEnded(
  { clock }: Pick<TokenReaderDeps, 'clock'>,
  { clientExpiresAt }: AccessToken,
): boolean {
  return clientExpiresAt !== undefined && nowSeconds(clock) >= clientExpiresAt;
}

/** What the shared level says of each candidate; nearly always there is one. */
async function sharedStates(
  shared: SharedTokenLevel,
  candidates: readonly [Digest, ...Digest[]],
): Promise<readonly SharedTokenState[]> {
  return candidates.length === 1
    ? [await shared.get(candidates[0])]
    : Promise.all(candidates.map((digest) => shared.get(digest)));
}

/** What the shared level said of some candidates, asked at the mark. */
interface SharedReading {
  readonly states: readonly SharedTokenState[];
  readonly mark: ReadMark;
}

/** The first candidate that the shared level knows, when nothing that was announced here speaks against it. */
function sharedOutcome(
  { clock, monotonic, log, sharedTtlMs, counters, negativeEntries, deduplication }: TokenReaderDeps,
  candidates: readonly Digest[],
  { states, mark }: SharedReading,
): TokenReadOutcome | undefined {
  const index = states.findIndex(({ outcome }) => outcome === 'live');
  const [digest, state] = [candidates[index], states[index]];
  if (digest === undefined || !isLive(state)) return undefined;
  const token = deduplication.token(state.token);
  // The most that it can be. What comes from the future was planted, or the clock of the store was set: it says
  // nothing.
  const ageMs = latestMs(clock) - state.readAtMs;
  if (ageMs < 0 || ageMs >= sharedTtlMs) return undefined;
  /** From here on by our own clock alone, as everything else that is known here. */
  const readAtMs = monotonic() - ageMs;
  const names = identifierNames(deduplication, digest, token);
  if (negativeEntries.isOlder(readAtMs, names) || !log.isSharedReadIntact(readAtMs, names)) return undefined;
  counters.sharedHits += 1;
  return something({
    state: { format: 'identifier', token, serializedResponse: undefined },
    names,
    mark: { ...mark, atMs: readAtMs },
    usableForMs: sharedTtlMs,
    staleFallbackForMs: sharedTtlMs,
  });
}

async function readJwt(deps: TokenReaderDeps, text: string, mark: ReadMark): Promise<TokenReadOutcome> {
  const token = await readSelfContained(deps, text);
  if (token === undefined) return nothing('not_ours');
  // Revocations are kept no longer than the tokens that they concern.
  if (nowSeconds(deps.clock) >= token.expiresAt) return nothing('expired', token.jti);
  const { response } = await readStore(deps, () => deps.store.standings.read(token));
  if (response.isRevoked) return nothing('revoked', token.jti);
  const known = withClientExpiry(deps.deduplication.token(token), response);
  const reading = {
    state: { format: 'jwt', token: known, serializedResponse: undefined },
    names: selfContainedNames(deps.deduplication, token),
    mark,
    usableForMs: deps.verifiedForMs,
  } as const;
  return { ...something(reading), isOver: hasClientEnded(deps, known) };
}

async function readStore<ApiResponse>(
  { counters }: TokenReaderDeps,
  read: () => Promise<Asked<ApiResponse>>,
): Promise<Asked<ApiResponse>> {
  try {
    const asked = await read();
    counters.storeReads += 1;
    return asked;
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

function something(reading: TokenReading) {
  return { found: { found: true, state: reading.state }, names: reading.names, reading } as const;
}

function nothing(reason: InactiveReason, jti?: string): TokenReadOutcome {
  return { found: notFound(reason, jti) };
}
