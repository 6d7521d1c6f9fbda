import type { Tracer } from '@vestibule/protocol';
import pg from 'pg';
import { connectTimeoutMs } from './connect-timeout.js';
import { PrimaryClient } from './primary-client.js';

/** Options of connections. */
export interface ConnectionOptions {
  /**
   * The connection string, `postgresql://user:password@host:port/database`: a secret. `?connect_timeout=` sets the
   * connection timeout in seconds, as for libpq: 1 to 60, default 1.
   */
  readonly url: string;
  /** Largest number of connections. Default 10. */
  readonly poolSize?: number;
  /** `application_name` of the connections. Default `vestibule`. */
  readonly applicationName?: string;
  /** How long a statement may wait for a connection, and how long it may then take, in milliseconds. Default 4,000. */
  readonly statementTimeoutMs?: number;
  /** Called when an idle connection breaks. It is replaced when it is needed. */
  readonly onConnectionError?: (error: Error) => void;
  /** Traces statements. Default: not traced. */
  readonly tracer?: Tracer | undefined;
}

/** Less than the time in which a service responds. */
const STATEMENT_TIMEOUT_MS = 4_000;
const POOL_SIZE = 10;
const IDLE_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 2_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000;
/** Extra time after the timeout of the server itself, for a server that does not respond at all. */
export const RESPONSE_ALLOWANCE_MS = 500;

/** Applies the default limits of a pool. */
export function connectionBounds(
  options: ConnectionOptions,
): Required<Pick<ConnectionOptions, 'poolSize' | 'statementTimeoutMs'>> {
  const { poolSize = POOL_SIZE, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  return { poolSize, statementTimeoutMs };
}

/**
 * Creates a pool of connections to the primary. It connects on first use. Waits for connections and locks have
 * timeouts, and the server has a timeout for statements; callers need their own timeout for a server that does not
 * respond.
 */
export function connectionPool(options: ConnectionOptions): pg.Pool {
  const pool = new pg.Pool(poolConfig(options));
  const onError = options.onConnectionError ?? (() => undefined);
  // Without listeners a broken connection would end the process: the pool emits for idle ones, busy ones emit
  // themselves.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

function poolConfig(options: ConnectionOptions): pg.PoolConfig {
  const { poolSize, statementTimeoutMs } = connectionBounds(options);
  return {
    connectionString: options.url,
    Client: PrimaryClient,
    onConnect: (client) => (client as PrimaryClient).requirePrimary(),
    max: poolSize,
    application_name: options.applicationName ?? 'vestibule',
    connectionTimeoutMillis: connectTimeoutMs(options.url),
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
  };
}
