import { hash } from 'node:crypto';
import type { AccessToken } from '../access-token.js';
import type { FoundToken, TokenState } from '../token-state.js';
import { type CacheTag, cacheTag, digestTag, jtiTag, SIGNING_KEYS_TAG } from './cache-tag.js';
import type { Deduplication } from './deduplicated-token.js';
import type { ReadMark } from './invalidation-log.js';

/** A token state that was read, with everything needed to decide whether it is still valid. */
export interface TokenReading {
  readonly state: TokenState;
  /** Tags of the entities that the state depends on. */
  readonly tags: readonly CacheTag[];
  readonly mark: ReadMark;
  /**
   * How long after the mark it may be used without reading again, in milliseconds. Default: until it is invalidated.
   */
  readonly usableForMs?: number;
  /**
   * How long after the mark it may be used as the stale fallback, in milliseconds. Default: as long as any state.
   */
  readonly staleFallbackForMs?: number;
}

/**
 * A cached token state. It is its own mark, whose sequence advances when later invalidation events do not concern it.
 * There are many of these, so the object is flat.
 */
export interface CachedToken extends ReadMark {
  /** Size in bytes (estimate). */
  readonly bytes: number;
  /** Set on each use; a used entry is spared once by eviction. */
  isUsed: boolean;
  readonly found: Extract<FoundToken, { found: true }>;
  readonly tags: readonly CacheTag[];
  readonly usableForMs: number | undefined;
  readonly staleFallbackForMs: number | undefined;
  sequence: number;
}

/** Cache key of a token: a SHA-256, because a memory dump must not contain live tokens. */
export function tokenKey(text: string): string {
  return hash('sha256', text, 'base64');
}

/** Tags that the state of an identifier-based token depends on. */
export function identifierTags(
  { clientTag }: Deduplication,
  digest: Uint8Array,
  { clientId }: AccessToken,
): readonly CacheTag[] {
  return [digestTag(digest), clientTag(clientId)];
}

/** Tags that the state of a self-contained token depends on: everything that a revocation can name, and the keys. */
export function selfContainedTags(
  { clientTag, issuerTag }: Deduplication,
  token: AccessToken & { readonly jti: string },
): readonly CacheTag[] {
  return [
    jtiTag(token.issuer, token.jti),
    clientTag(token.clientId),
    issuerTag(token.issuer),
    ...(token.subject === undefined ? [] : [cacheTag('subject', token.subject)]),
    ...(token.sessionId === undefined ? [] : [cacheTag('session', token.sessionId)]),
    SIGNING_KEYS_TAG,
  ];
}

/** Creates the cache entry of a state that was read. */
export function cachedToken({ state, tags, mark, ...reading }: TokenReading): CachedToken {
  return {
    found: { found: true, state },
    tags,
    sequence: mark.sequence,
    stretch: mark.stretch,
    atMs: mark.atMs,
    usableForMs: reading.usableForMs,
    staleFallbackForMs: reading.staleFallbackForMs,
    bytes: bytesOf(state.token, tags),
    isUsed: false,
  };
}

/** Measured size of the objects of an entry, its key and its slot in the map. */
const ENTRY_BYTES = 450;
/** Size of a text besides its characters, with its property in the token and its member name in the response. */
const TEXT_BYTES = 52;
/** Size of the serialized response without the values in it. */
const RESPONSE_BYTES = 180;
/** Bytes of an object per character of its JSON, not counting the response. */
const OBJECT_FACTOR = 4;
/** One such character makes all characters of a text take two bytes. */
const WIDE = /[^\0-\xff]/;

/** Estimates the size of an entry with its response, without values that entries share. */
function bytesOf(token: AccessToken, tags: readonly CacheTag[]): number {
  const { subject, username, jti, sessionId, authorizationId, confirmation, actor, data, claims } = token;
  const { clientId, scope, audience, issuer } = token;
  let isWide = WIDE.test(subject ?? '') || WIDE.test(username ?? '');
  let response = RESPONSE_BYTES + clientId.length + scope.length + issuer.length;
  for (const each of [subject, username, jti, sessionId, ...audience])
    if (each !== undefined) response += each.length;
  let others = ENTRY_BYTES;
  for (const text of [subject, username, jti, sessionId, authorizationId, ...tags.slice(1)])
    if (text !== undefined) others += TEXT_BYTES + text.length;
  for (const object of [confirmation, actor, data, claims]) {
    if (object === undefined) continue;
    const text = JSON.stringify(object);
    others += OBJECT_FACTOR * text.length;
    response += text.length;
    isWide ||= WIDE.test(text);
  }
  return others + (isWide ? 2 * response : response);
}
