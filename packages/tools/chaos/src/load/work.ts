import type { Cluster } from '../test-environment/cluster.js';
import type { History } from './history.js';
import type { TokenPool } from './token-pool.js';

/** How much is done. */
export interface Pace {
  readonly readers: number;
  /** Between a response and the next question of a reader. */
  readonly readMs: number;
  readonly issuers: number;
  /** Tokens that live at a time; any of them may be revoked next. */
  readonly tokens: number;
  /** Between the beginning of one revocation and that of the next. */
  readonly revokeMs: number;
  /** The most revocations under way: not acknowledged yet, or not seen everywhere. */
  readonly revocationsAtOnce: number;
}

/** The usual pace: as many revocations as leave two cores room for what fails. */
export const PACE: Pace = {
  readers: 4,
  readMs: 8,
  issuers: 6,
  tokens: 1_500,
  revokeMs: 8,
  revocationsAtOnce: 150,
};

/** What everyone works with. */
export interface Work {
  readonly cluster: Cluster;
  readonly history: History;
  readonly pool: TokenPool;
  readonly pace: Pace;
  /** How long a revoked token may be active where it was not revoked. */
  readonly staleMs: number;
  readonly isOver: () => boolean;
}
