import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { closers } from '@vestibule/local-services';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { API_FAULTS } from './faults/api-faults.js';
import { INSTANCE_FAULTS } from './faults/instance-faults.js';
import { INVALIDATION_FAULTS } from './faults/invalidation-faults.js';
import { POSTGRES_FAULTS } from './faults/postgres-faults.js';
import { REDIS_FAULTS } from './faults/redis-faults.js';
import { REFERENCE_FAULTS } from './faults/reference-faults.js';
import { type Cluster, openCluster } from './test-environment/cluster.js';
import { ROOT } from './test-environment/root.js';
import { openTestEnvironment, type TestEnvironment } from './test-environment/test-environment.js';
import { watchFault } from './trials/fault-trial.js';
import { inCluster } from './trials/in-cluster.js';
import { holdFill, holdResponse, race } from './trials/paused-reader.js';

const KEPT = { stale: 0, resurrected: 0, falselyInactive: 0, claimedTwice: 0, lost: 0 };
const PACE = { readers: 4, readMs: 15, issuers: 3, tokens: 60, revokeMs: 30, revocationsAtOnce: 20 };
const WATCH = { seconds: 2, calmMs: 400, pace: PACE };

const toEnd = closers();
let testEnvironment: TestEnvironment;
let cluster: Cluster;

beforeAll(async () => {
  const folder = join(ROOT, '.vestibule', 'chaos-test');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  testEnvironment = await openTestEnvironment(join(folder, 'postgres'), toEnd, () => undefined);
  cluster = await openCluster(testEnvironment);
  toEnd.add(cluster.close);
});

afterAll(() => toEnd.closeAll());

const HARMLESS = ['redis-frozen', 'redis-killed', 'instance-killed', 'invalidations-lost'];
const FAULTS = [...REDIS_FAULTS, ...INSTANCE_FAULTS, ...INVALIDATION_FAULTS];

it.each(HARMLESS)('responds to every request, and none incorrectly: %s', async (id) => {
  const fault = FAULTS.find((each) => each.id === id);
  if (fault === undefined) throw new TypeError('no such fault');
  const { requests, failures, violations, evidence, staleness } = await watchFault(cluster, fault, WATCH);
  expect({ failures, violations, evidence }).toEqual({ failures: 0, violations: KEPT, evidence: [] });
  expect(requests).toBeGreaterThan(100);
  expect(staleness?.revocations).toBeGreaterThan(20);
});

it('responds to no request incorrectly while PostgreSQL is killed, and loses nothing: postgres-killed', async () => {
  const fault = POSTGRES_FAULTS.find(({ id }) => id === 'postgres-killed');
  if (fault === undefined) throw new TypeError('no such fault');
  const { requests, violations, evidence } = await watchFault(cluster, fault, WATCH);
  expect({ violations, evidence }).toEqual({ violations: KEPT, evidence: [] });
  expect(requests).toBeGreaterThan(100);
});

const OWN_CLUSTER = ['reference-api-stream-cut', 'api-stream-shuffled'];

it.each(OWN_CLUSTER)('responds to every request at the APIs, and none incorrectly: %s', async (id) => {
  const fault = [...API_FAULTS, ...REFERENCE_FAULTS].find((each) => each.id === id);
  if (fault === undefined) throw new TypeError('no such fault');
  const { failures, violations, evidence, staleness } = await inCluster(testEnvironment, {
    ...fault,
    run: (own) => watchFault(own, fault, WATCH),
  });
  expect({ failures, violations, evidence }).toEqual({ failures: 0, violations: KEPT, evidence: [] });
  expect(staleness?.atApi?.count).toBeGreaterThan(20);
  expect(staleness?.atReference?.count ?? 0).toBe(id.startsWith('reference') ? staleness?.atApi?.count : 0);
});

it.each([
  ['a response of PostgreSQL', holdResponse],
  ['a write to Redis', holdFill],
] as const)('discards a token that was revoked while a reader waited for %s', async (_name, hold) => {
  const { problems, evidence } = await race(cluster, hold, 3);
  expect({ problems, evidence }).toEqual({ problems: [], evidence: [] });
});
