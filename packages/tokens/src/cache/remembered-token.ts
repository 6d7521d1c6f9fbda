import { hash } from 'node:crypto';
import type { AccessToken } from '../access-token.js';
import { type CacheTag, cacheTag, digestName, jtiTag, SIGNING_KEYS_FACT } from '../cache-tag.js';
import type { FoundToken, TokenState } from '../token-state.js';
import type { Remembered } from './bounded-memory.js';
import type { Deduplication } from './deduplicated-token.js';
import type { ReadMark } from './invalidation-log.js';

/** What is read of a token, and what it takes to know whether it still holds. */
export interface TokenReading {
  readonly state: TokenState;
  /** What the state depends on. */
  readonly names: readonly CacheTag[];
  readonly mark: ReadMark;
  /** How long from the mark on it may be used without asking again, in milliseconds; absent for as long as it holds. */
  readonly usableForMs?: number;
  /**
   * How long from the mark on it may be used while nobody can be asked; absent for as long as that is allowed at all.
   */
  readonly staleFallbackForMs?: number;
}

/**
 * A reading as it is remembered. It is its own mark, whose sequence moves on when later invalidation events are seen
 * not to concern it. There are many of these: it is as flat as it can be.
 */
export interface RememberedToken extends Remembered, ReadMark {
  readonly found: Extract<FoundToken, { found: true }>;
  readonly names: readonly CacheTag[];
  readonly usableForMs: number | undefined;
  readonly staleFallbackForMs: number | undefined;
  sequence: number;
}

/** What a token is remembered under: a SHA-256, since a memory dump must not hold live tokens. */
export function tokenKey(text: string): string {
  return hash('sha256', text, 'base64');
}

/** What the state of an identifier-based token depends on. */
export function identifierNames(
  { clientName }: Deduplication,
  digest: Uint8Array,
  { clientId }: AccessToken,
): readonly CacheTag[] {
  return [digestName(digest), clientName(clientId)];
}

/** What the state of a self-contained token depends on: all that a revocation can name, and the keys that verify it. */
export function selfContainedNames(
  { clientName, issuerName }: Deduplication,
  token: AccessToken & { readonly jti: string },
): readonly CacheTag[] {
  return [
    jtiTag(token.issuer, token.jti),
    clientName(token.clientId),
    issuerName(token.issuer),
    ...(token.subject === undefined ? [] : [cacheTag('subject', token.subject)]),
    ...(token.sessionId === undefined ? [] : [cacheTag('session', token.sessionId)]),
    SIGNING_KEYS_FACT,
  ];
}

/** The entry of a reading. */
export function rememberedToken({ state, names, mark, ...reading }: TokenReading): RememberedToken {
  return {
    found: { found: true, state },
    names,
    sequence: mark.sequence,
    stretch: mark.stretch,
    atMs: mark.atMs,
    usableForMs: reading.usableForMs,
    staleFallbackForMs: reading.staleFallbackForMs,
    bytes: bytesOf(state.token, names),
    isUsed: false,
  };
}

/** The objects of an entry, its key and its place in the memory, as measured. */
const ENTRY_BYTES = 450;
/** What a text takes besides its characters, with its place in the token and its name in the response. */
const TEXT_BYTES = 52;
/** The response that is written once it is asked for, without the values in it. */
const RESPONSE_BYTES = 180;
/** What an object takes for each character of its JSON, without that in the response. */
const OBJECT_FACTOR = 4;
/** One such character makes all of a text take two bytes for each. */
const WIDE = /[^\0-\xff]/;

/** About how many bytes an entry takes, with the response; what entries share does not count. */
function bytesOf(token: AccessToken, names: readonly CacheTag[]): number {
  const { subject, username, jti, sessionId, authorizationId, confirmation, actor, data, claims } = token;
  const { clientId, scope, audience, issuer } = token;
  let isWide = WIDE.test(subject ?? '') || WIDE.test(username ?? '');
  let response = RESPONSE_BYTES + clientId.length + scope.length + issuer.length;
  for (const each of [subject, username, jti, sessionId, ...audience])
    if (each !== undefined) response += each.length;
  let others = ENTRY_BYTES;
  for (const text of [subject, username, jti, sessionId, authorizationId, ...names.slice(1)])
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
