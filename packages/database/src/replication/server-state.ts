import type { RunStatement, Statement } from '../statement.js';

/** `sync_state` of a standby; `unknown` if the role may not see it. */
export const STANDBY_STATES = ['sync', 'quorum', 'potential', 'async', 'unknown'] as const;
export type StandbyState = (typeof STANDBY_STATES)[number];

/** Number of connected standbys by `sync_state`. */
export type Standbys = Readonly<Record<StandbyState, number>>;

/** State of the primary. */
export interface ServerState {
  /** Cluster and timeline. It changes when a standby is promoted or a backup is restored in place of the cluster. */
  readonly history: string;
  readonly standbys: Standbys;
  /** `synchronous_commit` of our connections: `on`, unless a pooler drops startup parameters. */
  readonly synchronousCommit: string;
}

/** Standbys before the first check. */
export const NO_STANDBYS: Standbys = { sync: 0, quorum: 0, potential: 0, async: 0, unknown: 0 };

interface Row {
  readonly history: string;
  readonly synchronous_commit: string;
  readonly standbys: Partial<Standbys>;
}

/**
 * Reads the timeline of the WAL that is being written, because that of the last checkpoint is outdated for a while
 * after a promotion. Roles without `pg_read_all_stats` see that a standby is connected, but not its `sync_state`.
 * Without `synchronous_standby_names` it is always asynchronous. By hand, because every service runs it each second, and
 * it reads no model.
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

/** Reads the state of the primary. Rejects when it does not respond, or the role lacks the permission. */
export async function readServerState(run: RunStatement): Promise<ServerState> {
  const { rows } = await run<Row>(SERVER_STATE, []);
  const [row] = rows;
  if (row === undefined) throw new TypeError('the server returned no state');
  return {
    history: row.history,
    standbys: { ...NO_STANDBYS, ...row.standbys },
    synchronousCommit: row.synchronous_commit,
  };
}
