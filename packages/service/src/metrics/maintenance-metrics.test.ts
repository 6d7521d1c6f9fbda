import { nowSeconds } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { maintenanceMetrics } from './maintenance-metrics.js';

it('exposes the time of the last success of each maintenance job, from the start of the process on', async () => {
  const registry = new Registry();
  const clock = frozenClock();
  const startedAt = nowSeconds(clock);
  const succeeded = maintenanceMetrics(registry, clock, ['clean_up', 'audit_chain']);
  const values = async () => {
    const [metric] = await registry.getMetricsAsJSON();
    return metric?.values.map(({ labels, value }) => [labels['maintenance_job'], value - startedAt]);
  };
  expect(await values()).toEqual([
    ['clean_up', 0],
    ['audit_chain', 0],
  ]);
  clock.advanceSeconds(60);
  succeeded('clean_up');
  expect(await values()).toEqual([
    ['clean_up', 60],
    ['audit_chain', 0],
  ]);
});
