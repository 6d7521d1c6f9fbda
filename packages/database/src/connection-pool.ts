import type { Tracer } from '@vestibule/protocol';
import pg from 'pg';
import { connectTimeoutMs } from './connect-timeout.js';
import { PrimaryClient } from './primary-client.js';

/** How connections are made and bounded. */
export interface ConnectionOptions {
  /**
   * The address, `postgresql://user:password@host:port/database`: a secret. With `?connect_timeout=` it says how many
   * seconds making a connection may take, as it does to other programs: 1 to 60, default 1.
   */
  readonly url: string;
  /** The most connections at a time, default 10. */
  readonly poolSize?: number;
  /** How the server lists our connections, default `vestibule`. */
  readonly applicationName?: string;
  /** How long a statement may wait for a connection, and how long it may then take, default 4,000. */
  readonly statementTimeoutMs?: number;
  /** Told when an idle connection breaks, which harms nothing: it is replaced when it is needed. */
  readonly onConnectionError?: (error: Error) => void;
  /** Records statements as parts of traces; without it nobody does. */
  readonly tracer?: Tracer | undefined;
}

/** Below the time in which a service answers. */
const STATEMENT_TIMEOUT_MS = 4_000;
const POOL_SIZE = 10;
const ADMINISTRATION_POOL_SIZE = 2;
const IDLE_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 2_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000;
/** The server's own limit comes first; this one is for a server that no longer answers. */
export const RESPONSE_ALLOWANCE_MS = 500;

/** The bounds of a pool where nothing else is said. */
export function connectionBounds(
  options: ConnectionOptions,
): Required<Pick<ConnectionOptions, 'poolSize' | 'statementTimeoutMs'>> {
  const { poolSize = POOL_SIZE, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  return { poolSize, statementTimeoutMs };
}

/**
 * A pool of connections to the primary that does not connect before it is used. Waits for connections and locks are
 * bounded, and so are statements as long as the server works; whoever runs one has to give up on a server that stands
 * still.
 */
export function connectionPool(options: ConnectionOptions): pg.Pool {
  return heardPool(poolConfig(options), options);
}

/** A pool of few connections for those who do not bound their statements themselves. */
export function administrationPool(options: ConnectionOptions): pg.Pool {
  const { statementTimeoutMs } = connectionBounds(options);
  const config = poolConfig({ ...options, poolSize: ADMINISTRATION_POOL_SIZE });
  return heardPool({ ...config, query_timeout: statementTimeoutMs + RESPONSE_ALLOWANCE_MS }, options);
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

function heardPool(config: pg.PoolConfig, options: ConnectionOptions): pg.Pool {
  const pool = new pg.Pool(config);
  const tell = options.onConnectionError ?? (() => undefined);
  // Without listeners a broken connection ends the process: the pool speaks for idle ones, busy ones for themselves.
  pool.on('error', tell);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
