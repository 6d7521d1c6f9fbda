import { randomBytes } from 'node:crypto';
import { secureRandom } from '@vestibule/crypto';
import { parseKeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import { openStore } from '@vestibule/database';
import { systemClock } from '@vestibule/protocol';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { registerDatabaseMetrics } from './database-metrics.js';

it('exposes standbys by state and promotions as of each scrape', async () => {
  const store = openStore({
    // No server listens there.
    connection: { url: 'postgresql://127.0.0.1:1/none' },
    keyEncryptionKeys: parseKeyEncryptionKeys(randomBytes(32).toString('base64url')),
    clock: systemClock,
    random: secureRandom,
    onProblem: () => undefined,
  });
  onTestFinished(store.close);
  const standbys = { sync: 1, quorum: 2, potential: 3, async: 0, unknown: 4 };
  let promotions = 0;
  const registry = new Registry();
  const server = { standbys: () => standbys, promotions: () => promotions };
  registerDatabaseMetrics(registry, { ...store, server });
  const samples = async () =>
    (await registry.metrics()).split('\n').filter((line) => /^database_(standbys|promotions)/.test(line));
  const shown = [
    'database_standbys{sync_state="sync"} 1',
    'database_standbys{sync_state="quorum"} 2',
    'database_standbys{sync_state="potential"} 3',
    'database_standbys{sync_state="async"} 0',
    'database_standbys{sync_state="unknown"} 4',
  ];
  expect(await samples()).toEqual([...shown, 'database_promotions_total 0']);
  promotions = 2;
  expect(await samples()).toEqual([...shown, 'database_promotions_total 2']);
});
