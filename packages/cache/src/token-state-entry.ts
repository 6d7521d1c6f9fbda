import type { Encryptor } from '@vestibule/crypto';
import type { AccessToken } from '@vestibule/tokens';
import { SCHEMA_VERSION } from './cache-key.js';
import { readTokenState, writeTokenState } from './token-state-json.js';

/** The most bytes of a value that are written or read. */
export const MAX_ENTRY_BYTES = 16_384;

/** The state of a token as the store knew it. */
export interface LiveEntry {
  readonly token: AccessToken;
  /** When the store was asked, in milliseconds since the epoch. */
  readonly readAtMs: number;
}

/** Why something that was found is not what is written here. */
export type EntryFault =
  /** Longer than any value that is written here. */
  | 'oversized'
  /** Of another schema version or another token. */
  | 'foreign'
  /** Not the state of a token, or not encrypted for this place. */
  | 'malformed';

const TOMBSTONE = 'dead';
const TIME = /^(\d{1,15}):/;

/** The value that says that the token with a digest is dead: `<version>:<digest>:dead`. */
export function tombstone(digest: string): string {
  return `${header(digest)}${TOMBSTONE}`;
}

/**
 * The value that holds the state of a token: `<version>:<digest>:<time>:<state>`, or with a sealer the time and the
 * state encrypted for this digest. `undefined` when it could not be read back.
 */
export async function writeEntry(
  digest: string,
  { token, readAtMs }: LiveEntry,
  encryptor?: Encryptor,
): Promise<string | undefined> {
  const state = writeTokenState(token);
  if (state === undefined) return undefined;
  const content = `${Math.floor(readAtMs)}:${state}`;
  const entry = `${header(digest)}${encryptor === undefined ? content : await encryptor.encrypt(content, placeOf(digest))}`;
  return Buffer.byteLength(entry) > MAX_ENTRY_BYTES ? undefined : entry;
}

/** What a value found under a digest says, or why it says nothing. Never rejects. */
export async function readEntry(
  digest: string,
  text: string,
  encryptor?: Encryptor,
): Promise<typeof TOMBSTONE | LiveEntry | EntryFault> {
  if (text.length > MAX_ENTRY_BYTES) return 'oversized';
  const head = header(digest);
  if (!text.startsWith(head)) return 'foreign';
  const content = text.slice(head.length);
  if (content === TOMBSTONE) return TOMBSTONE;
  const state = encryptor === undefined ? content : await decrypted(encryptor, content, digest);
  const time = TIME.exec(state)?.[1];
  const token = time === undefined ? undefined : readTokenState(state.slice(time.length + 1));
  return token === undefined ? 'malformed' : { token, readAtMs: Number(time) };
}

function header(digest: string): string {
  return `${SCHEMA_VERSION}:${digest}:`;
}

/** The content of an encrypted record; empty when it does not open. */
function decrypted(encryptor: Encryptor, record: string, digest: string): Promise<string> {
  return encryptor.open(record, placeOf(digest)).catch(() => '');
}

function placeOf(digest: string) {
  return { table: 'redis', column: 'token', row: digest };
}
