import { expect, inject } from 'vitest';
import { isUnmistakable, writeNote } from './secret-notes.js';

/** The members of JSON responses that are secrets. */
const SECRET_MEMBERS = [
  'client_secret',
  'registration_access_token',
  'access_token',
  'refresh_token',
  'id_token',
] as const;

const noted = new Set<string>();

/**
 * Notes a secret of a test, which must not be in clear in any file of the run's PostgreSQL or in its Redis after all
 * tests. A text that could occur by accident, like a repeated letter, is ignored.
 */
export function noteSecret(kind: string, secret: string): void {
  if (noted.has(secret) || !isUnmistakable(secret)) return;
  noted.add(secret);
  writeNote(inject('services').secretsFile, { kind, secret, test: expect.getState().currentTestName ?? '' });
}

/** Notes the secrets in a JSON response, an object or a list of objects; any other body has none. */
export function noteResponse(body: string): void {
  if (!/^[[{]/.test(body) || !SECRET_MEMBERS.some((name) => body.includes(`"${name}":"`))) return;
  const response: unknown = JSON.parse(body);
  for (const each of Array.isArray(response) ? response : [response]) noteMembers(each);
}

function noteMembers(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    if (SECRET_MEMBERS.some((secret) => secret === name) && typeof member === 'string')
      noteSecret(name, member);
}
