import { setTimeout as pause } from 'node:timers/promises';
import { type History, openHistory } from '../load/history.js';
import { type IsolatedToken, issueIsolatedToken } from '../load/isolated-token.js';
import { REVOCATION_PATHS } from '../load/revocation-paths.js';
import type { ConnectionChoice } from '../network/chaos-proxy.js';
import type { Cluster, Instance } from '../test-environment/cluster.js';
import { until } from '../until.js';
import { inCluster } from './in-cluster.js';
import { plainResult } from './plain-result.js';
import type { Trial, TrialResult } from './trial.js';

const ROUNDS = 6;
/** Longer than the delivery of every invalidation event and tombstone, and shorter than any timeout. */
const HELD_MS = 600;

const isPool: ConnectionChoice = (opening) =>
  opening.includes('vestibule') && !opening.includes(' invalidations\0');

/** A read that is overtaken by the revocation of its token before its result is cached. */
export const PAUSED_READERS: readonly Trial[] = [
  {
    id: 'paused-reader-memory',
    title:
      'a response of PostgreSQL is held back until its token is revoked; then it arrives and could be cached',
    run: (testEnvironment) => inCluster(testEnvironment, { run: (cluster) => race(cluster, holdResponse) }),
  },
  {
    id: 'paused-reader-redis',
    title: 'a state on its way into Redis is held back until its token is revoked; then it arrives',
    run: (testEnvironment) => inCluster(testEnvironment, { run: (cluster) => race(cluster, holdFill) }),
  },
];

type Hold = (instance: Instance, read: () => Promise<unknown>) => Promise<() => void>;

/** Races every format and two paths, and introspects on both instances afterwards. */
export async function race(cluster: Cluster, hold: Hold, rounds = ROUNDS): Promise<TrialResult> {
  const history = openHistory();
  for (let round = 0; round < rounds; round += 1) {
    const token = await issueIsolatedToken(cluster.installation, round % 3 === 2 ? 'jwt' : 'identifier', 600);
    history.issued(token);
    await raceOne(cluster, history, { token, hold, path: round % 2 });
  }
  return plainResult(history, { remarks: [`${rounds} races`] });
}

interface Race {
  readonly token: IsolatedToken;
  readonly hold: Hold;
  readonly path: number;
}

async function raceOne(cluster: Cluster, history: History, { token, hold, path }: Race): Promise<void> {
  const [reader, other] = cluster.instances;
  let read: Promise<unknown> = Promise.resolve();
  const release = await hold(reader, async () => {
    read = history.introspect(reader, token);
  });
  await history.revoke(token, async () => REVOCATION_PATHS[path]?.revoke(cluster.installation, token));
  await pause(HELD_MS);
  release();
  await read;
  // By now both instances have received the event: held state must not count.
  for (const instance of [reader, other, reader, other]) {
    const outcome = await history.introspect(instance, token);
    if (outcome !== 'inactive') throw new Error(`${token.format} is ${outcome} on ${instance.node}`);
  }
}

/** Holds responses of PostgreSQL to the pool; invalidation events arrive. */
export async function holdResponse(
  { postgres }: Instance,
  read: () => Promise<unknown>,
): Promise<() => void> {
  postgres.set({ kind: 'hold', from: 'server' }, isPool);
  await read();
  await pause(50);
  return () => postgres.pass();
}

/** Holds what goes to Redis after the response to the read. */
export async function holdFill(
  { redis, service }: Instance,
  read: () => Promise<unknown>,
): Promise<() => void> {
  const reads = async () => (await service.metrics()).get(READS) ?? 0;
  const before = await reads();
  // The read still passes; the write that follows does not.
  redis.set({ kind: 'delay', ms: 40, from: 'client' });
  await read();
  await until(async () => (await reads()) > before, 2_000);
  redis.set({ kind: 'hold', from: 'client' });
  return () => redis.pass();
}

const READS = 'token_state_reads_total{source="store",service="introspection"}';
