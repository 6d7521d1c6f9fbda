import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { openHistory } from '../load/history.js';
import { type IsolatedToken, issueIsolatedToken } from '../load/isolated-token.js';
import type { Cluster } from '../test-environment/cluster.js';
import { inCluster } from './in-cluster.js';
import { plainResult } from './plain-result.js';
import type { Effort, Trial, TrialResult } from './trial.js';

const HOT_TOKENS = 300;
const READERS = 4;
const FLOODERS = 16;
const SECONDS = 15;
const HITS = 'token_state_reads_total{source="memory",service="introspection"}';
const ENTRIES = 'token_cache_entries{service="introspection"}';
const MIN_HIT_SHARE = 0.95;

/** A caller that introspects unknown tokens as fast as it can, while live ones are read. */
export const FLOOD: Trial = {
  id: 'flood',
  title: 'a caller floods both instances with unknown tokens while hot tokens are read',
  run: (testEnvironment, effort) => inCluster(testEnvironment, { run: (cluster) => flood(cluster, effort) }),
};

async function flood(
  { instances, installation, redis }: Cluster,
  { maxSeconds }: Effort,
): Promise<TrialResult> {
  const history = openHistory();
  const hot: IsolatedToken[] = [];
  while (hot.length < HOT_TOKENS) hot.push(await issueIsolatedToken(installation, 'identifier', 600));
  for (const token of hot) history.issued(token);
  await Promise.all(hot.flatMap((token) => instances.map((instance) => history.introspect(instance, token))));
  const sum = async (name: string) => {
    const all = await Promise.all(
      instances.map(async ({ service }) => (await service.metrics()).get(name) ?? 0),
    );
    return all.reduce((total, value) => total + value, 0);
  };
  const [hitsBefore, requestsBefore] = [await sum(HITS), history.latenciesMs.length];
  let [isOver, unknown, refused] = [false, 0, 0];
  const flooder = async (index: number) => {
    const { caller } = instances[index % 2] ?? instances[0];
    while (!isOver) {
      const token = randomBytes(32).toString('hex').slice(0, 43);
      const { status } = await caller.post('/token/introspect', { token });
      unknown += 1;
      if (status !== 200) refused += 1;
    }
  };
  const reader = async (index: number) => {
    for (let turn = index; !isOver; turn += READERS) {
      const token = hot[turn % hot.length];
      if (token !== undefined) await history.introspect(instances[turn % 2] ?? instances[0], token);
      await pause(4);
    }
  };
  const working = [
    ...Array.from({ length: FLOODERS }, (_, index) => flooder(index)),
    ...Array.from({ length: READERS }, (_, index) => reader(index)),
  ];
  await pause(Math.min(SECONDS, maxSeconds) * 1000);
  isOver = true;
  await Promise.all(working);
  const share = ((await sum(HITS)) - hitsBefore) / (history.latenciesMs.length - requestsBefore);
  const [entries, keys] = [await sum(ENTRIES), await redis.admin.dbsize()];
  return plainResult(history, {
    remarks: [
      `${unknown} unknown tokens`,
      `${(share * 100).toFixed(1)} % of hot reads from the in-process cache`,
      `${keys} keys in Redis`,
    ],
    problems: [
      ...(share < MIN_HIT_SHARE ? ['hot tokens were evicted from the cache'] : []),
      ...(entries > 2 * HOT_TOKENS || keys > HOT_TOKENS ? ['unknown tokens are cached'] : []),
      ...(refused > 0 ? [`${refused} of the flood failed`] : []),
    ],
  });
}
