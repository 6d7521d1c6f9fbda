import { setTimeout as pause } from 'node:timers/promises';
import { type Closers, closing } from '@vestibule/local-services';
import { getOnce } from '../load/http.js';
import { type ChaosProxy, chaosProxy } from '../network/chaos-proxy.js';
import { redisUrl } from '../processes/redis.js';
import { launchService, type ServiceUnderFault } from '../processes/service.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import { freshMasterToken, masterSettings } from '../traffic/master-token.js';
import { SERVICE_NAMES, type ServiceName } from '../traffic/traffics.js';
import { until } from '../until.js';
import { ledgerlessResult } from './ledger-result.js';
import type { Trial, TrialResult } from './trial.js';

const MAX_READY_MS = 2_000;
/** Long enough for a process to fail that cannot run without its dependencies. */
const WITHOUT_MS = 3_000;

/** Services are started before their dependencies. */
export const LATE_DEPENDENCIES: Trial = {
  id: 'late-dependencies',
  title: 'every service is started while PostgreSQL and Redis are down, and then on an old schema',
  run: async (testEnvironment) => startFirst(testEnvironment, SERVICE_NAMES),
};

/** Starts services, and their dependencies later: first a database with an old schema, then a migrated one. */
export function startFirst(
  testEnvironment: TestEnvironment,
  names: readonly ServiceName[],
): Promise<TrialResult> {
  return closing((toEnd) => comeLate(testEnvironment, names, toEnd));
}

async function comeLate(
  testEnvironment: TestEnvironment,
  names: readonly ServiceName[],
  toEnd: Closers,
): Promise<TrialResult> {
  const [postgres, redis] = [
    await chaosProxy(testEnvironment.postgres.port),
    await chaosProxy(testEnvironment.redis.port),
  ];
  toEnd.add(postgres.close);
  toEnd.add(redis.close);
  const launch = (name: ServiceName) =>
    launchService({ name, environment: settingsOf(testEnvironment, name, { postgres, redis }) });
  // The first service creates the keys, which is not part of the measured wait.
  for (const name of names) {
    const first = await launch(name);
    toEnd.add(first.stop);
    await first.untilReady();
    await first.stop();
  }
  for (const proxy of [postgres, redis]) proxy.set({ kind: 'refuse' });
  const migrateAgain = await makeSchemaOld(testEnvironment);
  toEnd.add(migrateAgain);
  const services = await Promise.all(names.map(launch));
  for (const service of services) toEnd.add(service.stop);
  for (const service of services) await until(async () => (await liveness(service)) === 200);
  await pause(WITHOUT_MS);
  const problems = [...(await untimely(services, 'without PostgreSQL'))];
  for (const proxy of [postgres, redis]) proxy.pass();
  await pause(WITHOUT_MS);
  problems.push(...(await untimely(services, 'on an old schema')));
  await migrateAgain();
  const afterSchemaMs = await untilAllReady(services);
  for (const proxy of [postgres, redis]) proxy.set({ kind: 'refuse' });
  await pause(WITHOUT_MS);
  problems.push(...(await untimely(services, 'while PostgreSQL is gone')));
  for (const proxy of [postgres, redis]) proxy.pass();
  const afterPostgresMs = await untilAllReady(services);
  const slowestMs = Math.max(afterSchemaMs, afterPostgresMs);
  const result = ledgerlessResult({
    remarks: [
      `${names.length} services alive but not ready`,
      `ready ${Math.round(afterSchemaMs)} ms after the migration, ${Math.round(afterPostgresMs)} ms after PostgreSQL`,
    ],
    problems: [...problems, ...(slowestMs > MAX_READY_MS ? ['a service was ready too late'] : [])],
  });
  return { ...result, recoveryMs: slowestMs };
}

function settingsOf(
  { installation, postgres: server }: TestEnvironment,
  name: ServiceName,
  { postgres, redis }: { readonly postgres: ChaosProxy; readonly redis: ChaosProxy },
): Readonly<Record<string, string>> {
  const url = new URL(server.url(installation.database));
  url.port = String(postgres.port);
  return {
    ...installation.environment,
    ...masterSettings(freshMasterToken()),
    DATABASE_URL: url.href,
    ...(name === 'introspection' && { REDIS_URL: redisUrl(redis.port) }),
  };
}

/** Makes the database report a missing migration. @returns what undoes it */
async function makeSchemaOld({ installation: { pool } }: TestEnvironment): Promise<() => Promise<void>> {
  await pool.query(`UPDATE _prisma_migrations SET rolled_back_at = now()
    WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`);
  return async () => {
    await pool.query('UPDATE _prisma_migrations SET rolled_back_at = NULL');
  };
}

async function untimely(services: readonly ServiceUnderFault[], when: string): Promise<readonly string[]> {
  const problems = services.map(async (service) => {
    if (!service.process().isRunning()) return [`a service has exited ${when}`];
    if ((await liveness(service)) !== 200) return [`a service is not alive ${when}`];
    return (await service.isReady()) ? [`a service is ready ${when}`] : [];
  });
  return (await Promise.all(problems)).flat();
}

/** @returns the time it took, in milliseconds */
async function untilAllReady(services: readonly ServiceUnderFault[]): Promise<number> {
  const begunAt = performance.now();
  await Promise.all(services.map((service) => until(service.isReady)));
  return performance.now() - begunAt;
}

function liveness({ managementPort }: ServiceUnderFault): Promise<number> {
  return getOnce(managementPort, '/health/live').then(
    ({ status }) => status,
    () => 0,
  );
}
