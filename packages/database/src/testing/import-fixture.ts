import type { ImportedTokenRecord, ImportOptions } from '@vestibule/tokens/importing';
import type { UnknownToken } from '@vestibule/tokens/revocation';
import type { Database } from '../open-database.js';
import { aClient, aDigest, after, anAccessToken, NOW, twoProcesses } from './fixtures.js';
import { countRows } from './test-database.js';

/** Makes a record with its own digest and facts. */
export function aRecord(name: string, deviation: Partial<ImportedTokenRecord> = {}): ImportedTokenRecord {
  return {
    kind: 'access',
    digests: [aDigest(name)],
    facts: aDigest(`facts of ${name}`),
    token: anAccessToken({ issuedAt: after(-60) }),
    ...deviation,
  };
}

/** Makes a token that is not known, with the digests of these names, the one under the current key first. */
export function anUnknownToken(current: string, ...others: readonly string[]): UnknownToken {
  return { digests: [[aDigest(current), ...others.map(aDigest)]], expiresAt: after(600) };
}

/** The author of imports. */
export const AUTHOR = { actor: 'master', clock: { nowMs: () => NOW * 1_000 } } as const;

/** The store as the master token uses it. */
export const storeOf = (database: Database) => database.actingAs(AUTHOR).importedTokens;

/** Two processes with a client, and imports by the first of them. */
export async function withClient() {
  const processes = await twoProcesses();
  await processes.one.clients.create(aClient());
  const add = (
    records: readonly ImportedTokenRecord[],
    options: Partial<ImportOptions> = {},
    database = processes.one,
  ) => storeOf(database).add(records, { isAllOrNone: false, now: NOW, ...options });
  const counts = async () => ({
    access: await countRows(processes.url, 'access_token'),
    refresh: await countRows(processes.url, 'refresh_token'),
    imported: await countRows(processes.url, 'imported_token'),
  });
  return { ...processes, add, counts };
}

/** A token with every member. */
export const COMPLETE = anAccessToken({
  scope: 'read write',
  audience: ['api', 'with "quotes", {braces} and \\', 'NULL'],
  issuedAt: after(-60),
  notBefore: after(-1),
  subject: 'alice',
  username: 'Älice 😀',
  confirmation: { 'x5t#S256': 'thumb' },
  actor: { sub: 'admin', act: { sub: 'root' } },
  data: { a: [1, { b: null }], text: '"\\' },
  claims: { email: 'a@b.example' },
  sessionId: 'session',
});
