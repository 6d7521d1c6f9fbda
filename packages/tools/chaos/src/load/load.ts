import type { Cluster } from '../test-environment/cluster.js';
import { until } from '../until.js';
import type { History } from './history.js';
import { issueTokens } from './issuers.js';
import { readTokens } from './readers.js';
import { claimTokens, revokeTokens } from './revocations.js';
import { type TokenPool, tokenPool } from './token-pool.js';
import type { Pace, Work } from './work.js';

/** What goes on while something fails. */
export interface Load {
  readonly pool: TokenPool;
  /** Questions that nobody answered with 200, with one more try on the other instance. */
  failures(): number;
  /** Ends it, and waits for what is under way. */
  stop(): Promise<void>;
}

/** Long enough for as many tokens as any trial has. */
const ISSUE_PATIENCE_MS = 400_000;

/**
 * Readers, issuers and a revoker at work, once as many tokens live as are wanted.
 * @param staleMs how long a revoked token may be active where it was not revoked
 */
export async function startLoad(
  cluster: Cluster,
  history: History,
  staleMs: number,
  pace: Pace,
): Promise<Load> {
  let [isOver, failures] = [false, 0];
  const work: Work = { cluster, history, pool: tokenPool(), pace, staleMs, isOver: () => isOver };
  const onFailure = () => {
    failures += 1;
  };
  const issuing = repeat(pace.issuers, () => issueTokens(work));
  await until(async () => work.pool.live >= pace.tokens, ISSUE_PATIENCE_MS);
  const reading = repeat(pace.readers, () => readTokens(work, onFailure));
  const working = Promise.all([...issuing, ...reading, revokeTokens(work), claimTokens(work)]);
  return {
    pool: work.pool,
    failures: () => failures,
    stop: async () => {
      isOver = true;
      await working;
    },
  };
}

function repeat<Result>(count: number, make: () => Result): readonly Result[] {
  return Array.from({ length: count }, make);
}
