import { connectTimeoutMs } from './connect-timeout.js';
import { PrimaryClient } from './primary-client.js';

/** A run that no other process can make at the same time. */
export interface ExclusiveRun {
  /** Whether the lock is still held. Without its connection another process may have it. */
  isHeld(): boolean;
  /** Ends the run. */
  end(): Promise<void>;
}

/** Separates these locks from other advisory locks. */
const LOCK_SPACE = 1_442_077_301;

const RESPONSE_TIMEOUT_MS = 10_000;

/**
 * Begins a run under an advisory lock of its name, on a connection of its own, so that the lock ends with the process.
 * Needs a direct connection, not a pooler. Returns `undefined` if another process holds the lock.
 */
export async function beginExclusiveRun(
  { url, applicationName }: { readonly url: string; readonly applicationName: string },
  name: string,
): Promise<ExclusiveRun | undefined> {
  let isHeld = false;
  const client = new PrimaryClient({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs(url),
    query_timeout: RESPONSE_TIMEOUT_MS,
    keepAlive: true,
  });
  const lose = () => {
    isHeld = false;
  };
  client.on('error', lose);
  client.on('end', lose);
  await client.connect();
  try {
    client.requirePrimary();
    const { rows } = await client.query<{ is_held: boolean }>(
      'SELECT pg_try_advisory_lock($1::integer, hashtext($2)) AS is_held',
      [LOCK_SPACE, name],
    );
    isHeld = rows[0]?.is_held === true;
  } finally {
    if (!isHeld) await client.end();
  }
  if (!isHeld) return undefined;
  return { isHeld: () => isHeld, end: () => client.end() };
}
