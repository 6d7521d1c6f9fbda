import { createHash } from 'node:crypto';
import type { Client, InitialAccessToken } from '@vestibule/clients';
import type { Digest } from '@vestibule/crypto';
import { type ClientId, type EpochSeconds, epochSeconds } from '@vestibule/protocol';
import { NO_RIGHTS, parseScope, type Scope } from '@vestibule/scopes';
import type { AccessToken, SelfContainedTokenFacts } from '@vestibule/tokens';
import { onTestFinished, vi } from 'vitest';
import type { ConnectionOptions } from '../connection-pool.js';
import { type Database, openDatabase } from '../open-database.js';
import { aMigratedDatabase } from './test-database.js';

/** The present of these tests. */
export const NOW = epochSeconds(1_780_000_000);

/** Seconds after the present; a negative number is before it. */
export function after(seconds: number): EpochSeconds {
  return epochSeconds(NOW + seconds);
}

/** Some digest; equal texts have equal ones. */
export function aDigest(text: string): Digest {
  return Uint8Array.from(createHash('sha256').update(text).digest()) as Uint8Array as Digest;
}

/** An identifier as it is. */
export function anId(text: string): ClientId {
  return text as ClientId;
}

/** Opens a database that is closed after the test. */
export function opened(options: ConnectionOptions): Database {
  const database = openDatabase(options);
  onTestFinished(() => database.close());
  return database;
}

/** A migrated database without rows, opened as if by two processes. */
export async function twoProcesses(): Promise<{ url: string; one: Database; other: Database }> {
  const url = await aMigratedDatabase();
  return { url, one: opened({ url }), other: opened({ url }) };
}

/** A client without anything optional. */
export function aClient(deviations: Partial<Client> = {}): Client {
  return {
    id: anId('client'),
    metadata: { client_name: 'A client' } as unknown as Client['metadata'],
    rights: NO_RIGHTS,
    origin: 'registration',
    status: 'active',
    issuedAt: NOW,
    updatedAt: NOW,
    version: 1,
    ...deviations,
  };
}

/** A live identifier-based token of `client`, without anything optional. */
export function anAccessToken(deviations: Partial<AccessToken> = {}): AccessToken {
  return {
    clientId: anId('client'),
    scope: 'read',
    audience: [],
    issuer: 'https://server.example',
    issuedAt: NOW,
    expiresAt: after(600),
    ...deviations,
  };
}

/** A live initial access token for one registration. */
export function anInitialToken(deviations: Partial<InitialAccessToken> = {}): InitialAccessToken {
  return {
    digest: aDigest('initial'),
    scope: aScope('client-reg'),
    audience: [],
    issuedAt: NOW,
    expiresAt: after(600),
    usesLeft: 1,
    ...deviations,
  };
}

function aScope(text: string): Scope {
  const scope = parseScope(text);
  if (scope === undefined) throw new TypeError('not a scope');
  return scope;
}

/** Whether a self-contained token is revoked, as the store says it. */
export async function isRevoked(
  { revocations }: Pick<Database, 'revocations'>,
  token: SelfContainedTokenFacts,
): Promise<boolean | undefined> {
  const [status] = await revocations.statuses([token]);
  return status?.isRevoked;
}

/** The connections of each process: one more statement at a time would wait for one of them. */
const CONNECTIONS = 10;

/**
 * Does something a number of times over several processes, as often at a time as they have connections, which are open
 * before the start. The results are in no particular order.
 */
export async function race<Result>(
  processes: readonly Database[],
  count: number,
  operate: (database: Database, index: number) => Promise<Result>,
): Promise<Result[]> {
  const connections = processes.flatMap((each) => Array.from({ length: CONNECTIONS }, () => each));
  await vi.waitFor(() => Promise.all(connections.map((each) => each.ping())), { timeout: 30_000 });
  const results: Result[] = [];
  let next = 0;
  const run = async (database: Database) => {
    while (next < count) {
      next += 1;
      results.push(await operate(database, next));
    }
  };
  await Promise.all(connections.map(run));
  return results;
}
