/** What has happened to the statements of a database since it was opened. */
export interface DatabaseCounters {
  /** Statements that waited for a connection. */
  waits: number;
  /** How long they waited in all, in milliseconds. */
  waitedMs: number;
  /** Those of them that gave up. */
  refusals: number;
  /** Statements that were tried once more. */
  retries: number;
  /** Statements that failed for good. */
  readonly failures: Record<StatementFailure, number>;
}

/** Why a statement failed: there was no connection, it broke, no response came in time, or the database refused. */
export type StatementFailure = 'no_connection' | 'connection_lost' | 'timeout' | 'refused';

/** What a pool consists of now. */
export interface DatabaseConnections {
  readonly busy: number;
  readonly idle: number;
  /** Statements that wait for one. */
  readonly waiting: number;
}

/** Counters that stand at zero. */
export function databaseCounters(): DatabaseCounters {
  const failures = { no_connection: 0, connection_lost: 0, timeout: 0, refused: 0 };
  return { waits: 0, waitedMs: 0, refusals: 0, retries: 0, failures };
}
