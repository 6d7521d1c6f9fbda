const DEFAULT_SECONDS = 1;
const MAX_SECONDS = 60;
const MIGRATION_MS = 10_000;

/**
 * How long making a connection may take: `connect_timeout` in the query of its address, in seconds as libpq reads it,
 * from 1 to 60; else one second.
 */
export function connectTimeoutMs(url: string): number {
  // Addresses of sockets are no URLs.
  const seconds = Number(/[?&]connect_timeout=(\d+)(?:[&#]|$)/.exec(url)?.[1]);
  return (seconds >= 1 && seconds <= MAX_SECONDS ? seconds : DEFAULT_SECONDS) * 1_000;
}

/**
 * The same for a change of the schema, which waits for at least ten seconds: it is done once, and nobody waits for it.
 */
export function migrationConnectTimeoutMs(url: string): number {
  return Math.max(MIGRATION_MS, connectTimeoutMs(url));
}
