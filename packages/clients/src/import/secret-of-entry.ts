import type { JsonObject } from '@vestibule/protocol';
import { textMember } from './entry-members.js';
import type { ExportedSecret } from './exported-client.js';

/** Reads the secret of an entry with the member names of the specifications, in plain text or as a hash. */
export function secretOfEntry(entry: JsonObject): ExportedSecret | undefined {
  const value = textMember(entry, 'client_secret');
  if (value !== undefined) return { kind: 'given', value };
  const hash = textMember(entry, 'client_secret_hash');
  return hash === undefined ? undefined : { kind: 'hashed', value: hash, member: 'client_secret_hash' };
}
