import { createHash } from 'node:crypto';
import type { Client } from '@vestibule/clients';
import type { InitialAccessToken } from '@vestibule/clients/registration';
import type { Digest } from '@vestibule/crypto/data-keys';
import { type ClientId, type EpochSeconds, epochSeconds } from '@vestibule/protocol';
import { NO_SCOPES, parseScope, type Scope } from '@vestibule/scopes';
import type { AccessToken } from '@vestibule/tokens';
import type { SessionRecord } from '@vestibule/tokens/provider';
import type { SelfContainedTokenFacts } from '@vestibule/tokens/revocation';
import { onTestFinished, vi } from 'vitest';
import type { ConnectionOptions } from '../connection-pool.js';
import { type Database, openDatabase } from '../open-database.js';
import { aMigratedDatabase } from './test-database.js';

/** The current time in these tests. */
export const NOW = epochSeconds(1_780_000_000);

/** Returns a time relative to `NOW`, in seconds. */
export function after(seconds: number): EpochSeconds {
  return epochSeconds(NOW + seconds);
}

/** Makes a digest; equal texts have equal digests. */
export function aDigest(text: string): Digest {
  return Uint8Array.from(createHash('sha256').update(text).digest()) as Uint8Array as Digest;
}

/** Casts a text to a client identifier. */
export function anId(text: string): ClientId {
  return text as ClientId;
}

/** Opens a database, which is closed after the test. */
export function opened(options: ConnectionOptions): Database {
  const database = openDatabase(options);
  onTestFinished(() => database.close());
  return database;
}

/** Opens a migrated database without rows twice, like two processes. */
export async function twoProcesses(): Promise<{ url: string; one: Database; other: Database }> {
  const url = await aMigratedDatabase();
  return { url, one: opened({ url }), other: opened({ url }) };
}

/** Makes a client without optional members. */
export function aClient(deviations: Partial<Client> = {}): Client {
  return {
    id: anId('client'),
    metadata: { client_name: 'A client' } as unknown as Client['metadata'],
    grantedScopes: NO_SCOPES,
    origin: 'registration',
    status: 'active',
    issuedAt: NOW,
    updatedAt: NOW,
    version: 1,
    ...deviations,
  };
}

/** Makes a live identifier-based token of `client` without optional members. */
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

/** Makes a live session of `alice`, which `client` knows as `sid`. */
export function aSession(deviations: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: 'session',
    cookieDigest: aDigest('cookie'),
    subject: 'alice',
    payload: {},
    expiresAt: after(900),
    clients: [{ clientId: 'client', sid: 'sid' }],
    ...deviations,
  };
}

/** Makes a live initial access token for one registration. */
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

/** Reads from the store whether a self-contained token is revoked. */
export async function isRevoked(
  { revocations }: Pick<Database, 'revocations'>,
  token: SelfContainedTokenFacts,
): Promise<boolean | undefined> {
  const [status] = await revocations.statuses([token]);
  return status?.isRevoked;
}

/** Connections per process; more parallel statements would wait. */
const CONNECTIONS = 10;

/**
 * Runs an operation a number of times over several processes, with as many parallel runs as connections. The
 * connections are opened before. The results are in no particular order.
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
