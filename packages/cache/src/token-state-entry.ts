import type { Encryptor } from '@vestibule/crypto/data-keys';
import type { AccessToken } from '@vestibule/tokens';
import { SCHEMA_VERSION } from './cache-key.js';
import { parseTokenState, writeTokenState } from './token-state-json.js';

/** Largest value that is written or read, in bytes. */
export const MAX_ENTRY_BYTES = 16_384;

/** The state of a token as it was read from the store. */
export interface LiveEntry {
  readonly token: AccessToken;
  /** When the store was read, in milliseconds since the epoch. */
  readonly readAtMs: number;
}

/** Why a value is not a valid entry. */
export type EntryFault =
  /** Longer than `MAX_ENTRY_BYTES`. */
  | 'oversized'
  /** Of another schema version or for another token. */
  | 'foreign'
  /** Not a token state, or not encrypted for this digest. */
  | 'malformed';

const TOMBSTONE = 'dead';
const TIME = /^(\d{1,15}):/;

/** Builds the tombstone of a token: `<version>:<digest>:dead`. */
export function tombstone(digest: string): string {
  return `${header(digest)}${TOMBSTONE}`;
}

/**
 * Builds the entry of a token state: `<version>:<digest>:<time>:<state>`, with time and state encrypted for this digest
 * if there is an encryptor. `undefined` when it could not be read back.
 */
export async function writeEntry(
  digest: string,
  { token, readAtMs }: LiveEntry,
  encryptor?: Encryptor,
): Promise<string | undefined> {
  const state = writeTokenState(token);
  if (state === undefined) return undefined;
  const content = `${Math.floor(readAtMs)}:${state}`;
  const entry = `${header(digest)}${encryptor === undefined ? content : await encryptor.encrypt(content, associatedDataOf(digest))}`;
  return Buffer.byteLength(entry) > MAX_ENTRY_BYTES ? undefined : entry;
}

/** Reads the value under a digest: a state, a tombstone, or the reason why it is invalid. Never rejects. */
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
  const token = time === undefined ? undefined : parseTokenState(state.slice(time.length + 1));
  return token === undefined ? 'malformed' : { token, readAtMs: Number(time) };
}

function header(digest: string): string {
  return `${SCHEMA_VERSION}:${digest}:`;
}

/** Decrypts a record; empty when that fails. */
function decrypted(encryptor: Encryptor, record: string, digest: string): Promise<string> {
  return encryptor.open(record, associatedDataOf(digest)).catch(() => '');
}

function associatedDataOf(digest: string) {
  return { table: 'redis', column: 'token', row: digest };
}
