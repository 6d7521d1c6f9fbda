import { hash } from 'node:crypto';
import type { AccessToken } from '../access-token.js';
import { digestName, type FactName, factName, jtiFact, SIGNING_KEYS_FACT } from '../fact-name.js';
import type { FoundToken, TokenState } from '../token-state.js';
import type { ReadMark } from './announcement-log.js';
import type { Remembered } from './bounded-memory.js';

/** The state of a token in this process, and what it takes to know whether it still holds. */
export interface RememberedToken extends Remembered {
  readonly found: Extract<FoundToken, { found: true }>;
  /** What the state depends on. */
  readonly names: readonly FactName[];
  /** Until when it may be used without asking again, on the monotonic clock. */
  readonly usableUntilMs: number;
  /** Until when it may be used while nobody can be asked. */
  readonly lastResortUntilMs: number;
  /** When it was read; moves on when later announcements are seen not to concern it. */
  mark: ReadMark;
}

/** What is remembered of a token. */
export interface TokenReading {
  readonly state: TokenState;
  readonly names: readonly FactName[];
  readonly mark: ReadMark;
  readonly usableUntilMs: number;
  readonly lastResortUntilMs: number;
}

/** What a token is remembered under: a SHA-256, since a memory dump must not hold live tokens. */
export function tokenKey(text: string): string {
  return hash('sha256', text, 'base64');
}

/** What the state of an identifier-based token depends on. */
export function identifierNames(digest: Uint8Array, token: AccessToken): readonly FactName[] {
  return [digestName(digest), factName('client', token.clientId)];
}

/** What the state of a self-contained token depends on: all that a revocation can name, and the keys that verify it. */
export function selfContainedNames(token: AccessToken & { readonly jti: string }): readonly FactName[] {
  return [
    jtiFact(token.issuer, token.jti),
    factName('client', token.clientId),
    factName('issuer', token.issuer),
    ...(token.subject === undefined ? [] : [factName('subject', token.subject)]),
    ...(token.sessionId === undefined ? [] : [factName('session', token.sessionId)]),
    SIGNING_KEYS_FACT,
  ];
}

/** The entry of a reading. */
export function rememberedToken({ state, ...reading }: TokenReading): RememberedToken {
  const { names } = reading;
  return {
    ...reading,
    found: { found: true, state },
    bytes: bytesOf(state.token, names),
    isUsed: false,
  };
}

/** Objects, slots of maps and arrays around the texts of an entry. */
const ENTRY_BYTES = 512;
const TEXT_BYTES = 24;
/** What an object takes for each character of its JSON. */
const OBJECT_FACTOR = 4;

/** About how many bytes an entry takes. */
function bytesOf(token: AccessToken, names: readonly FactName[]): number {
  let bytes = ENTRY_BYTES;
  for (const value of Object.values(token) as unknown[]) {
    if (typeof value === 'string') bytes += TEXT_BYTES + value.length;
    else if (typeof value === 'object') bytes += OBJECT_FACTOR * JSON.stringify(value).length;
  }
  for (const name of names) bytes += TEXT_BYTES + name.length;
  return bytes;
}
