import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { closers } from '@vestibule/local-services';
import { afterAll, expect, it } from 'vitest';
import { ROOT } from './test-environment/root.js';
import { openTestEnvironment } from './test-environment/test-environment.js';
import { failHosts } from './trials/document-hosts.js';
import { inCluster } from './trials/in-cluster.js';

const toEnd = closers();

afterAll(() => toEnd.closeAll());

/** The lease of a killed process must expire, and eight processes start. */
const PATIENCE_MS = 240_000;

/** Limits of time and of capacity assume an otherwise idle machine. */
const OF_SPEED = /longer than|^requests failed|^\d+ requests with unknown documents failed|grew by/;

it(
  'uses documents of failing hosts within their time and no longer, withdrawn ones never again, and fetches each once despite kills',
  async () => {
    const folder = join(ROOT, '.vestibule', 'chaos-documents-test');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const testEnvironment = await openTestEnvironment(join(folder, 'postgres'), toEnd, () => undefined);
    const { problems, violations, requests } = await inCluster(testEnvironment, {
      run: (cluster) => failHosts(cluster, { seconds: 14, kills: 1 }),
    });
    expect(violations).toEqual({ stale: 0, resurrected: 0, falselyInactive: 0, claimedTwice: 0, lost: 0 });
    expect(problems.filter((problem) => !OF_SPEED.test(problem))).toEqual([]);
    expect(requests).toBeGreaterThan(100);
  },
  PATIENCE_MS,
);
