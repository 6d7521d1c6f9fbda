import type { Cluster } from '../test-environment/cluster.js';
import { until } from '../until.js';
import type { History } from './history.js';
import { issueTokens } from './issuers.js';
import { readTokens } from './readers.js';
import { claimTokens, revokeTokens } from './revocations.js';
import { type TokenPool, tokenPool } from './token-pool.js';
import type { Pace, Work } from './work.js';

/** The load during a fault. */
export interface Load {
  readonly pool: TokenPool;
  /** Requests whose response was not 200, including one retry on the other instance. */
  failures(): number;
  /** Stops the load and waits for requests in progress. */
  stop(): Promise<void>;
}

/** Enough to issue the tokens of any trial. */
const ISSUE_PATIENCE_MS = 400_000;

/**
 * Starts readers, issuers and a revoker once the wanted number of tokens is live.
 * @param staleMs how long a revoked token may be active on the other instances
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
      await history.settled();
    },
  };
}

function repeat<Result>(count: number, make: () => Result): readonly Result[] {
  return Array.from({ length: count }, make);
}
