import { setTimeout as pause } from 'node:timers/promises';
import { type History, openHistory } from '../load/history.js';
import { type IsolatedToken, issueIsolatedToken } from '../load/isolated-token.js';
import type { Cluster, Instance } from '../test-environment/cluster.js';
import { until } from '../until.js';
import { inCluster } from './in-cluster.js';
import { plainResult } from './plain-result.js';
import type { Effort, Trial, TrialResult } from './trial.js';

const TTL_MS = 1_000;
/** The lifetime of an entry: it expires a little before its next use. */
const LIFETIME_MS = 980;
const SECONDS = 20;
const CALLERS = 24;
const QUERIES = 'token_state_reads_total{source="store",service="introspection"}';
const SHARED_RESPONSES = 'token_state_reads_total{source="shared",service="introspection"}';

/**
 * Introspects one token continuously while its state in Redis expires every second and the in-process cache is
 * disabled. An instance ignores Redis for a second after its invalidation stream starts; the trial waits for that.
 */
export const STAMPEDE: Trial = {
  id: 'stampede',
  title:
    'one token is introspected continuously while its state in Redis expires every second; in-process cache off',
  run: (testEnvironment, effort) =>
    inCluster(testEnvironment, {
      prepare: async () => ({
        environment: {
          INTROSPECTION_CACHE_ENTRIES: '0',
          INTROSPECTION_SHARED_CACHE_TTL_MS: String(TTL_MS),
        },
      }),
      run: (cluster) => stampede(cluster, effort),
    }),
};

async function stampede({ instances, installation }: Cluster, { maxSeconds }: Effort): Promise<TrialResult> {
  const history = openHistory();
  await Promise.all(instances.map((instance) => believingRedis(history, instance, installation)));
  const token = await issueIsolatedToken(installation, 'identifier', 600);
  history.issued(token);
  const lookups = async () =>
    Promise.all(instances.map(async ({ service }) => (await service.metrics()).get(QUERIES) ?? 0));
  const before = await lookups();
  const seconds = Math.min(SECONDS, maxSeconds);
  await introspectWithoutPause(history, instances, { token, seconds });
  const counts = (await lookups()).map((count, index) => count - (before[index] ?? 0));
  // Several requests can miss within the time of one Redis command; each instance then reads once.
  const expiries = Math.ceil((seconds * 1000) / LIFETIME_MS) + 1;
  return plainResult(history, {
    remarks: [
      `${Math.round(history.latenciesMs.length / seconds)} requests/s`,
      `lookups ${counts.join(' + ')} in ${expiries} lifetimes`,
    ],
    problems: counts.some((count) => count > expiries) ? ['more than one lookup for an expiry'] : [],
  });
}

/** Waits until an instance uses Redis: not before its invalidation stream has run for a second. */
async function believingRedis(
  history: History,
  instance: Instance,
  installation: Cluster['installation'],
): Promise<void> {
  const token = await issueIsolatedToken(installation, 'identifier', 600);
  history.issued(token);
  await until(async () => {
    await history.introspect(instance, token);
    return ((await instance.service.metrics()).get(SHARED_RESPONSES) ?? 0) > 0;
  });
}

async function introspectWithoutPause(
  history: History,
  instances: readonly Instance[],
  { token, seconds }: { readonly token: IsolatedToken; readonly seconds: number },
): Promise<void> {
  let isOver = false;
  const caller = async (instance: Instance) => {
    while (!isOver) await history.introspect(instance, token);
  };
  const callers = instances.flatMap((instance) =>
    Array.from({ length: CALLERS / 2 }, () => caller(instance)),
  );
  await pause(seconds * 1000);
  isOver = true;
  await Promise.all(callers);
}
