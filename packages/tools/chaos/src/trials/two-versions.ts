import { setTimeout as pause } from 'node:timers/promises';
import { type Closers, closing } from '@vestibule/local-services';
import { openBusyFleet } from '../fleet/busy-fleet.js';
import { startCrossing } from '../fleet/crossing.js';
import { openLedger } from '../fleet/ledger.js';
import { makeNextVersion, NEXT_CACHE_VERSION, type NextVersion } from '../fleet/next-version.js';
import { watchLocks } from '../processes/lock-waits.js';
import type { Replacement } from '../processes/service.js';
import { ROOT } from '../test-environment/root.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import { freshMasterToken, masterSettings } from '../traffic/master-token.js';
import type { ServiceName } from '../traffic/traffics.js';
import { ledgerResult } from './ledger-result.js';
import { badEnds } from './rolling-restart.js';
import type { Trial, TrialResult } from './trial.js';

const CALLERS = 4;
const MAX_LOCK_WAIT_MS = 200;
/** How long both versions run after each change. */
const SIDE_BY_SIDE_MS = 5_000;
/** The duration of a long transaction that a migration has to wait for. */
const LONG_READ_MS = 1_500;

/** A version with a newer schema is deployed, runs next to the old one, and is rolled back. */
export const TWO_VERSIONS: Trial = {
  id: 'two-versions',
  title: 'the database is migrated; the next version is deployed, runs next to this one, and is rolled back',
  run: (testEnvironment, { maxSeconds }) =>
    closing((toEnd) => comeAndGo(testEnvironment, Math.min(SIDE_BY_SIDE_MS, maxSeconds * 1000), toEnd)),
};

async function comeAndGo(
  testEnvironment: TestEnvironment,
  sideBySideMs: number,
  toEnd: Closers,
): Promise<TrialResult> {
  const next = await makeNextVersion(toEnd);
  const ledger = openLedger();
  const masterToken = freshMasterToken();
  const fixture = { ...testEnvironment, masterToken: () => masterToken };
  const open = (name: ServiceName) => {
    const environment = name === 'introspection' ? {} : masterSettings(masterToken);
    return openBusyFleet(testEnvironment, { name, fixture, ledger, callers: CALLERS, environment }, toEnd);
  };
  const [authorization, introspection] = [await open('authorization'), await open('introspection')];
  const others = [await open('registration'), await open('logout'), await open('federation')];
  const fleets = [authorization, introspection, ...others];
  const { resourceServer } = testEnvironment.installation;
  const parties = { authorization, introspection, ledger, resourceServer };
  const crossing = startCrossing({ ...parties, masterToken: fixture.masterToken });
  toEnd.add(crossing.stop);
  await pause(sideBySideMs / 4);
  const { applied, longestMs } = await migrateInUse(testEnvironment, next, toEnd);
  const replaced: Replacement[] = [];
  const move = async (which: 0 | 1, root: string) => {
    replaced.push(...(await Promise.all(fleets.map((fleet) => fleet.replace(which, { root })))));
    await pause(sideBySideMs);
  };
  await move(1, next.root);
  await move(0, next.root);
  const nextValues = await testEnvironment.redis.admin.keys(`vestibule:${NEXT_CACHE_VERSION}:*`);
  await move(1, ROOT);
  await move(0, ROOT);
  await crossing.stop();
  return ledgerResult(ledger, {
    remarks: [
      `${applied} migrations, ${replaced.length} replacements`,
      `no lock wait longer than ${Math.round(longestMs)} ms`,
    ],
    problems: [
      ...(await Promise.all(fleets.map((fleet) => fleet.rest()))).flat(),
      ...badEnds(replaced),
      ...(nextValues.length > 0 ? [] : ['the next version wrote nothing to Redis']),
      ...(applied === next.migrations ? [] : [`not ${next.migrations} migrations`]),
      ...(longestMs > MAX_LOCK_WAIT_MS ? [`a lock wait took ${Math.round(longestMs)} ms`] : []),
    ],
  });
}

/** Applies the migrations of the next version under a long read and the usual requests. */
async function migrateInUse(
  testEnvironment: TestEnvironment,
  next: NextVersion,
  toEnd: Closers,
): Promise<{ readonly applied: number; readonly longestMs: number }> {
  const { installation, postgres } = testEnvironment;
  const locks = watchLocks(installation.pool);
  toEnd.add(async () => void (await locks.end()));
  const reading = readForLong(testEnvironment);
  const applied = await next.migrate(postgres.url(installation.database));
  await reading;
  return { applied, longestMs: await locks.end() };
}

/** Holds the locks of a reader on the tables that the migration changes. */
async function readForLong({ installation: { pool } }: TestEnvironment): Promise<void> {
  const reader = await pool.connect();
  try {
    await reader.query('BEGIN; SELECT FROM client LIMIT 1; SELECT FROM access_token LIMIT 1');
    await pause(LONG_READ_MS);
    await reader.query('COMMIT');
  } finally {
    reader.release();
  }
}
