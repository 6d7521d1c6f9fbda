import pg from 'pg';
import type { ConnectionChoice } from '../network/chaos-proxy.js';
import type { Cluster } from '../test-environment/cluster.js';
import { type Fault, UNNOTICED } from '../trials/fault.js';
import { disturb } from './network-fault.js';
import { repeating } from './repeating.js';

/** Events that no version writes. */
const UNKNOWN = [
  ['tokens', ['unknown']],
  ['other', []],
  ['entities', ['x'.repeat(7_000)]],
  ['', []],
] as const;
const LATE_MS = 300;

/** Repeats the events since a snapshot, except those of the previous repetition, and returns where the next one starts. */
const REPEAT = `WITH latest AS (
    SELECT event.* FROM vestibule_invalidations_since($1::pg_snapshot) AS event
    WHERE event.transaction_id::text <> $2 AND event.kind IN ('tokens', 'entities')
  ), repeated AS (
    INSERT INTO invalidation_event (kind, tags)
    SELECT kind, tags FROM latest CROSS JOIN generate_series(1, 2) ORDER BY transaction_id DESC
  )
  SELECT pg_current_snapshot()::text AS snapshot, pg_current_xact_id()::text AS repetition`;

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
    title: 'the connections of the invalidation streams are reset at random',
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
    title: 'invalidation events come twice, late and out of order, with unknown ones between them',
    seconds: 10,
    limits: UNNOTICED,
    begin: forgeInvalidations,
  },
];

/** Repeats the events of the last moments, latest first, twice, and adds unknown ones. */
async function forgeInvalidations({ postgres, installation }: Cluster): Promise<() => Promise<unknown>> {
  const client = new pg.Client({ connectionString: postgres.url(installation.database) });
  client.on('error', () => undefined);
  await client.connect();
  let start = { snapshot: '1:1:', repetition: '' };
  const stop = repeating(LATE_MS, async (turn) => {
    const { rows } = await client.query<typeof start>(REPEAT, [start.snapshot, start.repetition]);
    start = rows[0] ?? start;
    const [kind, tags] = UNKNOWN[turn % UNKNOWN.length] ?? [];
    await client.query('INSERT INTO invalidation_event (kind, tags) VALUES ($1, $2)', [kind, tags]);
  });
  return async () => {
    await stop();
    await client.end();
  };
}
