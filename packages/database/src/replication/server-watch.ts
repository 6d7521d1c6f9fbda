import { databaseFault } from '../database-errors.js';
import { type MaintenanceJob, startMaintenanceJob } from '../rounds.js';
import { NO_STANDBYS, type ServerState, type Standbys } from './server-state.js';

/** Something about the server that operators, or those who remember what it said, have to know. */
export type ServerChange =
  /** Another cluster or timeline is behind the address than before: a standby was promoted, or a backup restored. */
  | { readonly kind: 'promoted'; readonly history: string }
  /** The number of asynchronous standbys is another one than before, and not zero. */
  | { readonly kind: 'asynchronous_standbys'; readonly count: number }
  /** Commits do not wait until they are on disk: a pooler drops our startup parameters. */
  | { readonly kind: 'commits_not_durable'; readonly synchronousCommit: string }
  /** Our role may not ask for the state of the server. */
  | { readonly kind: 'hidden'; readonly error: unknown };

/** What watching a server takes. */
export interface ServerWatchOptions {
  readonly read: () => Promise<ServerState>;
  /** From the end of a reading to the start of the next. */
  readonly intervalMs: number;
  readonly onChange: (change: ServerChange) => void;
}

/** A server that is watched. */
export interface ServerWatch extends MaintenanceJob {
  /** Reads it now; does not reject. */
  look(): Promise<void>;
  /** The standbys as of the last reading. */
  standbys(): Standbys;
  /** How often another cluster or timeline was found than before. */
  promotions(): number;
}

/** The synchronous_commit values that lose no acknowledged commit in a failover to a synchronous standby. */
const DURABLE = new Set(['on', 'remote_apply']);

/** Reads the state of the server at intervals, the first time after one, and reports each change once. */
export function startServerWatch({ read, intervalMs, onChange }: ServerWatchOptions): ServerWatch {
  let known: ServerState | undefined;
  let promotions = 0;
  let isHidden = false;
  const round = async () => {
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
  // Readiness tells when the server does not answer.
  const onError = (error: unknown) => {
    if (isHidden || databaseFault(error) !== 'refused') return;
    isHidden = true;
    onChange({ kind: 'hidden', error });
  };
  const rounds = startMaintenanceJob({ round, intervalMs, onError });
  return {
    ...rounds,
    look: () => round().catch(onError),
    standbys: () => known?.standbys ?? NO_STANDBYS,
    promotions: () => promotions,
  };
}
