import type { Replication } from '../processes/replicated-postgres.js';
import type { Cluster, Instance } from '../test-environment/cluster.js';
import { until } from '../until.js';
import { sumOf } from './metric-move.js';

/** What an instance reports about two standbys while their primary runs. */
const REPORTED: Readonly<Record<Replication, object>> = {
  synchronous: { quorum: 2, async: 0, isWarned: false },
  asynchronous: { quorum: 0, async: 2, isWarned: true },
};

const ASYNCHRONOUS = 'Postgres has asynchronous standbys: promoting one loses acknowledged revocations';
const PROMOTED = 'DATABASE_URL leads to another Postgres server or timeline: all cached data is discarded';
const SOON_MS = 10_000;

/** Checks that metrics and log of every instance report the standbys. @returns problems as sentences */
export function missedStandbys(cluster: Pick<Cluster, 'instances'>, replication: Replication) {
  return ofEach(cluster, async ({ node, service }) => {
    const samples = await service.metrics();
    const count = (state: string) => sumOf(samples, 'database_standbys', `sync_state="${state}"`);
    const isWarned = service.process().output().includes(ASYNCHRONOUS);
    const reported = JSON.stringify({ quorum: count('quorum'), async: count('async'), isWarned });
    const expected = JSON.stringify(REPORTED[replication]);
    return reported === expected
      ? []
      : [`instance ${node} reported the standbys ${reported}, not ${expected}`];
  });
}

/** Waits until every instance has logged and counted a promotion. @returns problems as sentences */
export function missedPromotion(cluster: Pick<Cluster, 'instances'>) {
  return ofEach(cluster, async ({ node, service }) => {
    const isLogged = until(async () => service.process().output().includes(PROMOTED), SOON_MS);
    const isCounted = until(
      async () => sumOf(await service.metrics(), 'database_promotions_total') === 1,
      SOON_MS,
    );
    const reported = await Promise.allSettled([isLogged, isCounted]);
    return reported.every(({ status }) => status === 'fulfilled')
      ? []
      : [`instance ${node} did not report the promotion`];
  });
}

async function ofEach(
  { instances }: Pick<Cluster, 'instances'>,
  look: (instance: Instance) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  return (await Promise.all(instances.map(look))).flat();
}
