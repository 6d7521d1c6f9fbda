import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics } from '@vestibule/http/observability';
import { ROOT } from '../src/repository.js';
import { SERVICE_SETTINGS } from './settings.js';

/** What Prometheus itself adds to everything that it scrapes, and every service to each of its metrics. */
const COMMON_LABELS = ['job', 'instance', 'service'];

/** The metrics of Prometheus itself. */
const OWN: readonly (readonly [string, readonly string[]])[] = [
  ['up', []],
  ['ALERTS', ['alertname', 'alertstate', 'severity']],
];

/** Every metric that Prometheus has, with the labels that it may be asked for by. */
export async function knownMetrics(): Promise<ReadonlyMap<string, readonly string[]>> {
  const metrics = [...OWN, ...(await processMetrics()), ...[...SERVICE_SETTINGS.keys()].flatMap(metricsOf)];
  return new Map(metrics.map(([name, labels]) => [name, [...COMMON_LABELS, ...labels]]));
}

/** Those that the README of a service tells of: its table is held against scrapes. */
function metricsOf(service: string): (readonly [string, readonly string[]])[] {
  const readme = readFileSync(join(ROOT, 'apps', service, 'README.md'), 'utf8');
  const [, table = ''] = /<!-- metrics -->([\s\S]*)<!-- \/metrics -->/.exec(readme) ?? [];
  return [...table.matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]*)\|/gm)].flatMap(
    ([, name = '', type = '', cell = '']) => {
      const labels = [...cell.matchAll(/`(\w+)`/g)].map(([, label = '']) => label);
      return seriesOf(name, type, labels);
    },
  );
}

/** Those that every process has. */
async function processMetrics(): Promise<(readonly [string, readonly string[]])[]> {
  const metrics = await createMetrics('any').registry.getMetricsAsJSON();
  return metrics.map(({ name, values }) => [name, values.flatMap(({ labels }) => Object.keys(labels))]);
}

/** The names under which a metric is stored. */
function seriesOf(
  name: string,
  type: string,
  labels: readonly string[],
): (readonly [string, readonly string[]])[] {
  if (type !== 'histogram') return [[name, labels]];
  return [
    [`${name}_bucket`, [...labels, 'le']],
    [`${name}_sum`, labels],
    [`${name}_count`, labels],
  ];
}
