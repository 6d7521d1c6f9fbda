/** Counters of the statements of a database since it was opened. */
export interface DatabaseCounters {
  /** Statements that waited for a connection. */
  waits: number;
  /** Total time that statements waited for a connection, in milliseconds. */
  waitedMs: number;
  /** Statements that were refused because no connection was free in time. */
  refusals: number;
  /** Retries of statements. */
  retries: number;
  /** Statements that failed after all retries. */
  readonly failures: Record<StatementFailure, number>;
}

/** Why a statement failed: no connection, a broken one, no response in time, or an error of the database. */
export type StatementFailure = 'no_connection' | 'connection_lost' | 'timeout' | 'refused';

/** Current state of a connection pool. */
export interface DatabaseConnections {
  readonly busy: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

/** Creates counters at zero. */
export function databaseCounters(): DatabaseCounters {
  const failures = { no_connection: 0, connection_lost: 0, timeout: 0, refused: 0 };
  return { waits: 0, waitedMs: 0, refusals: 0, retries: 0, failures };
}
