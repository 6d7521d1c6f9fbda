import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { closers } from '@vestibule/local-services';
import { afterAll, expect, it } from 'vitest';
import { ROOT } from './test-environment/root.js';
import { openTestEnvironment } from './test-environment/test-environment.js';
import { killDeliveries } from './trials/logout-kills.js';

const toEnd = closers();

afterAll(() => toEnd.closeAll());

/** Every kill is followed by a start, and the last one by the expiry of a lease. */
const PATIENCE_MS = 240_000;

it(
  'notifies every client of its logout despite kills of the delivering process, and repeats only where a kill explains it',
  async () => {
    const folder = join(ROOT, '.vestibule', 'chaos-logout-test');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const testEnvironment = await openTestEnvironment(join(folder, 'postgres'), toEnd, () => undefined);
    const { problems, violations, requests } = await killDeliveries(testEnvironment, {
      kills: 3,
      sessionsPerKill: 4,
    });
    expect({ problems, lost: violations.lost }).toEqual({ problems: [], lost: 0 });
    expect(requests).toBeGreaterThanOrEqual(12);
  },
  PATIENCE_MS,
);
