import type { JsonObject, JsonValue } from '@vestibule/protocol';
import { present } from '../registration-request.js';

/** A member that is a text with something in it. */
export function textMember(entry: JsonObject, name: string): string | undefined {
  const value = present(entry, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The texts of a member that is an array; none when it is anything else. */
export function textsMember(entry: JsonObject, name: string): readonly string[] {
  const value = present(entry, name);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Whether a value says nothing: absent, empty, or switched off. */
export function isIdle(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false) return true;
  if (typeof value === 'string') return value === '' || value === 'false';
  if (typeof value !== 'object') return value === 0;
  return Object.keys(value).length === 0;
}

const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._#-]{0,63}$/;

/** A name from outside as a sentence may hold it. */
export function plainName(name: string): string {
  return PLAIN_NAME.test(name) ? name : 'of an unreadable name';
}
