import type { Cluster } from '../test-environment/cluster.js';
import type { History } from './history.js';
import type { TokenPool } from './token-pool.js';

/** The amount of load. */
export interface Pace {
  readonly readers: number;
  /** Between a response and the next request of a reader. */
  readonly readMs: number;
  readonly issuers: number;
  /** Live tokens at a time; any of them may be revoked next. */
  readonly tokens: number;
  /** Between the starts of two revocations. */
  readonly revokeMs: number;
  /** The most revocations in progress: not acknowledged yet, or not seen on every instance. */
  readonly revocationsAtOnce: number;
}

/** The usual pace; it leaves CPU time on two cores for the fault. */
export const PACE: Pace = {
  readers: 4,
  readMs: 20,
  issuers: 4,
  tokens: 1_500,
  revokeMs: 20,
  revocationsAtOnce: 75,
};

/** What readers, issuers and revokers share. */
export interface Work {
  readonly cluster: Cluster;
  readonly history: History;
  readonly pool: TokenPool;
  readonly pace: Pace;
  /** How long a revoked token may be active on the other instances. */
  readonly staleMs: number;
  readonly isOver: () => boolean;
}
