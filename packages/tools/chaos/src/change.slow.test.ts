import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { closers } from '@vestibule/local-services';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from './test-environment/root.js';
import { openTestEnvironment, type TestEnvironment } from './test-environment/test-environment.js';
import { INVALID_SETTINGS, refuseAll } from './trials/invalid-settings.js';
import { restartInTurn } from './trials/rolling-restart.js';

const toEnd = closers();
let testEnvironment: TestEnvironment;

beforeAll(async () => {
  const folder = join(ROOT, '.vestibule', 'chaos-change-test');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  testEnvironment = await openTestEnvironment(join(folder, 'postgres'), toEnd, () => undefined);
});

afterAll(() => toEnd.closeAll());

it('responds to every request correctly and notifies clients of every logout once while both instances are restarted under load', async () => {
  const short = { rounds: 1, callers: 3, calmTurns: 10 };
  const { requests, problems } = await restartInTurn(testEnvironment, 'logout', short);
  expect(problems).toEqual([]);
  expect(requests).toBeGreaterThan(100);
});

it('rejects invalid settings, names them and shows no values', async () => {
  const settings = INVALID_SETTINGS.filter(
    ({ service, key, value }) => service === 'introspection' && key === 'REDIS_URL' && value?.includes('@'),
  );
  const { problems } = await refuseAll(testEnvironment, settings);
  // The CPU time limit assumes an otherwise idle machine.
  expect(problems.filter((problem) => !problem.includes('CPU time'))).toEqual([]);
  expect(settings).toHaveLength(2);
});
