import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics } from '@vestibule/http/observability';
import { ROOT } from '../src/repository.js';
import { SERVICE_SETTINGS } from './settings.js';

/** Labels that Prometheus adds to everything it scrapes, and services to each of their metrics. */
const COMMON_LABELS = ['job', 'instance', 'service'];

/** The metrics of Prometheus itself. */
const OWN: readonly (readonly [string, readonly string[]])[] = [
  ['up', []],
  ['ALERTS', ['alertname', 'alertstate', 'severity']],
];

/** Every metric in Prometheus, with the labels that queries may use. */
export async function knownMetrics(): Promise<ReadonlyMap<string, readonly string[]>> {
  const metrics = [...OWN, ...(await processMetrics()), ...[...SERVICE_SETTINGS.keys()].flatMap(metricsOf)];
  const known = new Map<string, readonly string[]>();
  // A metric of several services may have further labels in some of them.
  for (const [name, labels] of metrics) known.set(name, [...(known.get(name) ?? COMMON_LABELS), ...labels]);
  return known;
}

/** The metrics in the README of a service: tests compare its table with scrapes. */
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

/** The metrics of every Node process. */
async function processMetrics(): Promise<(readonly [string, readonly string[]])[]> {
  const metrics = await createMetrics('any').registry.getMetricsAsJSON();
  return metrics.map(({ name, values }) => [name, values.flatMap(({ labels }) => Object.keys(labels))]);
}

/** The series names of a metric. */
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
