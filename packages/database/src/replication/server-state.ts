import type { RunStatement, Statement } from '../statement.js';

/** What a standby is to a commit; `unknown` where our role may not see it. */
export const STANDBY_STATES = ['sync', 'quorum', 'potential', 'async', 'unknown'] as const;
export type StandbyState = (typeof STANDBY_STATES)[number];

/** How many standbys of each kind are connected. */
export type Standbys = Readonly<Record<StandbyState, number>>;

/** What a primary says of itself. */
export interface ServerState {
  /**
   * Cluster and timeline: another one after a standby was promoted, or a backup was restored in place of the cluster.
   */
  readonly history: string;
  readonly standbys: Standbys;
  /** What our commits wait for: `on`, unless a pooler drops startup parameters. */
  readonly synchronousCommit: string;
}

/** Standbys before any were counted. */
export const NO_STANDBYS: Standbys = { sync: 0, quorum: 0, potential: 0, async: 0, unknown: 0 };

interface Row {
  readonly history: string;
  readonly synchronous_commit: string;
  readonly standbys: Partial<Standbys>;
}

/**
 * The timeline of the log that is being written: that of the last checkpoint stays behind for a while after a
 * promotion. Roles without `pg_read_all_stats` see that a standby is connected, not what it is to a commit. Without
 * `synchronous_standby_names` it is asynchronous in any case.
 */
const SERVER_STATE: Statement = {
  name: 'server-state',
  text: `SELECT
      (SELECT system_identifier::text FROM pg_control_system())
        || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) AS history,
      current_setting('synchronous_commit') AS synchronous_commit,
      (SELECT coalesce(json_object_agg(state, number), '{}') FROM (
        SELECT CASE
            WHEN sync_state IS NOT NULL THEN sync_state
            WHEN current_setting('synchronous_standby_names') = '' THEN 'async'
            ELSE 'unknown'
          END AS state, count(*)::int AS number
        FROM pg_stat_replication
        WHERE state IS DISTINCT FROM 'backup' AND application_name IS DISTINCT FROM 'pg_basebackup'
        GROUP BY 1) standby) AS standbys`,
  repeatable: true,
};

/** Asks the primary for its state. Rejects when it does not answer, or our role may not know. */
export async function readServerState(run: RunStatement): Promise<ServerState> {
  const { rows } = await run<Row>(SERVER_STATE, []);
  const [row] = rows;
  if (row === undefined) throw new TypeError('the server did not say its state');
  return {
    history: row.history,
    standbys: { ...NO_STANDBYS, ...row.standbys },
    synchronousCommit: row.synchronous_commit,
  };
}
