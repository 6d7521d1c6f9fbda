const DEFAULT_SECONDS = 1;
const MAX_SECONDS = 60;
const MIGRATION_MS = 10_000;

/**
 * Reads the connection timeout: `connect_timeout` in the query of the address, in seconds like in libpq, from 1 to 60.
 * Default: one second.
 */
export function connectTimeoutMs(url: string): number {
  // Addresses of sockets are not URLs.
  const seconds = Number(/[?&]connect_timeout=(\d+)(?:[&#]|$)/.exec(url)?.[1]);
  return (seconds >= 1 && seconds <= MAX_SECONDS ? seconds : DEFAULT_SECONDS) * 1_000;
}

/**
 * Reads the connection timeout for migrations: at least ten seconds, because no request waits for them.
 */
export function migrationConnectTimeoutMs(url: string): number {
  return Math.max(MIGRATION_MS, connectTimeoutMs(url));
}
