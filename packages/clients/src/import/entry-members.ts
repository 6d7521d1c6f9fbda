import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import { present } from '../registration/registration-request.js';
import type { ExportedSecret } from './exported-client.js';

/** Returns a member that is a non-empty string. */
export function textMember(entry: JsonObject, name: string): string | undefined {
  const value = present(entry, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the strings of a member that is an array; empty for any other value. */
export function textsMember(entry: JsonObject, name: string): readonly string[] {
  const value = present(entry, name);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Whether a value has no effect: absent, empty or false. */
export function isIdle(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false) return true;
  if (typeof value === 'string') return value === '' || value === 'false';
  if (typeof value !== 'object') return value === 0;
  return Object.keys(value).length === 0;
}

const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._#-]{0,63}$/;

/** Sanitizes a name from an export for use in a message. */
export function plainName(name: string): string {
  return PLAIN_NAME.test(name) ? name : 'of an unreadable name';
}

/** Reads the secret of an entry with the member names of the specifications, in plain text or as a hash. */
export function secretOfEntry(entry: JsonObject): ExportedSecret | undefined {
  const value = textMember(entry, 'client_secret');
  if (value !== undefined) return { kind: 'given', value };
  const hash = textMember(entry, 'client_secret_hash');
  return hash === undefined ? undefined : { kind: 'hashed', value: hash, member: 'client_secret_hash' };
}
