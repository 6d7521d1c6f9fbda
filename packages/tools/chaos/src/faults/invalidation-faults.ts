import pg from 'pg';
import type { ConnectionChoice } from '../network/chaos-proxy.js';
import type { Cluster } from '../test-environment/cluster.js';
import { type Fault, UNNOTICED } from '../trials/fault.js';
import { disturb } from './network-fault.js';
import { repeating } from './repeating.js';

const CHANNEL = 'vestibule_state';
const GARBAGE = [
  '',
  'garbage',
  '{"v":1,"d":["garbage"]}',
  '{"v":9}',
  '{"v":1,"d":[]}',
  '[]',
  'x'.repeat(7_000),
];
const LATE_MS = 300;
const MAX_REPEATED = 200;

const isInvalidationStream: ConnectionChoice = (opening) => opening.includes(' invalidations\0');

/** Faults of invalidation events from PostgreSQL. */
export const INVALIDATION_FAULTS: readonly Fault[] = [
  {
    id: 'invalidations-lost',
    title: 'no invalidation event arrives on either instance; everything else works',
    seconds: 12,
    limits: UNNOTICED,
    begin: (cluster) =>
      disturb(cluster, 'postgres', {
        traffic: { kind: 'drop', from: 'server' },
        choice: isInvalidationStream,
      }),
  },
  {
    id: 'invalidations-cut',
    title: 'the listening connections are reset at random',
    seconds: 10,
    limits: UNNOTICED,
    begin: async (cluster) =>
      repeating(150, async (turn) => {
        cluster.instances[turn % 2]?.postgres.set({ kind: 'refuse' }, isInvalidationStream);
        cluster.instances[turn % 2]?.postgres.pass();
      }),
  },
  {
    id: 'invalidations-forged',
    title: 'invalidation events come twice, late and out of order, with garbage between them',
    seconds: 10,
    limits: UNNOTICED,
    begin: forgeInvalidations,
  },
];

/** Repeats invalidation events, latest first, and adds invalid payloads. */
async function forgeInvalidations({ postgres, installation }: Cluster): Promise<() => Promise<unknown>> {
  const client = new pg.Client({ connectionString: postgres.url(installation.database) });
  client.on('error', () => undefined);
  await client.connect();
  const seen = new Set<string>();
  let heard: string[] = [];
  client.on('notification', ({ payload = '' }) => {
    if (seen.size > MAX_REPEATED) seen.clear();
    if (!seen.has(payload)) heard.push(payload);
    seen.add(payload);
  });
  await client.query(`LISTEN ${CHANNEL}`);
  const stop = repeating(LATE_MS, async (turn) => {
    const repeated = heard.toReversed();
    heard = [];
    for (const payload of [...repeated, ...repeated, GARBAGE[turn % GARBAGE.length]])
      await client.query('SELECT pg_notify($1, $2)', [CHANNEL, payload]);
  });
  return async () => {
    await stop();
    await client.end();
  };
}
