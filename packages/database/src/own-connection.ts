import { connectionCheckout } from './connection-checkout.js';
import { type ConnectionOptions, connectionPool } from './connection-pool.js';
import { queryRunner, type RunStatement, statementRunner } from './statement.js';

/** A connection outside the pool, for statements that must not wait for others. */
export interface OwnConnection {
  /** Runs a statement like those of the pool, one at a time. It connects again when the connection has broken. */
  readonly run: RunStatement;
  /** Closes the connection, after the running statement. */
  close(): void;
}

/** How long a statement may take, in milliseconds. With the allowance for the response it ends within two seconds. */
const STATEMENT_TIMEOUT_MS = 1_500;

/** Creates a connection of its own. It connects with the first statement. */
export function ownConnection(options: Pick<ConnectionOptions, 'url' | 'applicationName'>): OwnConnection {
  const pool = connectionPool({ ...options, poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  return {
    run: statementRunner(queryRunner(connectionCheckout(pool, { poolSize: 1 }), STATEMENT_TIMEOUT_MS)),
    close: () => void pool.end(),
  };
}
