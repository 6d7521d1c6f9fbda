import { databaseFault } from '../database-errors.js';
import { type MaintenanceJob, startMaintenanceJob } from '../maintenance-job.js';
import { NO_STANDBYS, type ServerState, type Standbys } from './server-state.js';

/** A change of the server, for operators and caches. */
export type ServerChange =
  /** The address leads to another cluster or timeline: a standby was promoted, or a backup restored. */
  | { readonly kind: 'promoted'; readonly history: string }
  /** The number of asynchronous standbys has changed, and is not zero. */
  | { readonly kind: 'asynchronous_standbys'; readonly count: number }
  /** Commits do not wait until they are on disk, because a pooler drops our startup parameters. */
  | { readonly kind: 'commits_not_durable'; readonly synchronousCommit: string }
  /** The role may not read the state of the server. */
  | { readonly kind: 'hidden'; readonly error: unknown };

/** Options of watching a server. */
export interface ServerWatchOptions {
  readonly read: () => Promise<ServerState>;
  /** From the end of a check to the start of the next, in milliseconds. */
  readonly intervalMs: number;
  readonly onChange: (change: ServerChange) => void;
}

/** Watches a server. */
export interface ServerWatch extends MaintenanceJob {
  /** Checks the server now. Never rejects. */
  look(): Promise<void>;
  /** Standbys as of the last check. */
  standbys(): Standbys;
  /** Number of times that the cluster or timeline has changed. */
  promotions(): number;
}

/** Values of `synchronous_commit` that lose no acknowledged commit in a failover to a synchronous standby. */
const DURABLE = new Set(['on', 'remote_apply']);

/** Starts to check the server at intervals, the first time after one, and reports each change once. */
export function startServerWatch({ read, intervalMs, onChange }: ServerWatchOptions): ServerWatch {
  let known: ServerState | undefined;
  let promotions = 0;
  let isHidden = false;
  const run = async () => {
    const state = await read();
    const before = known;
    known = state;
    isHidden = false;
    if (before !== undefined && state.history !== before.history) {
      promotions += 1;
      onChange({ kind: 'promoted', history: state.history });
    }
    const count = state.standbys.async;
    if (count > 0 && count !== before?.standbys.async) onChange({ kind: 'asynchronous_standbys', count });
    const { synchronousCommit } = state;
    if (!DURABLE.has(synchronousCommit) && synchronousCommit !== before?.synchronousCommit)
      onChange({ kind: 'commits_not_durable', synchronousCommit });
  };
  // Readiness reports an unresponsive server.
  const onError = (error: unknown) => {
    if (isHidden || databaseFault(error) !== 'refused') return;
    isHidden = true;
    onChange({ kind: 'hidden', error });
  };
  const job = startMaintenanceJob({ run, intervalMs, onError });
  return {
    ...job,
    look: () => run().catch(onError),
    standbys: () => known?.standbys ?? NO_STANDBYS,
    promotions: () => promotions,
  };
}
