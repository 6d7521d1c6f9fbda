import { readCounter, readGauge } from '@vestibule/http/observability';
import type { ResourceServerMetrics } from '@vestibule/resource-server';
import type { Registry } from 'prom-client';

const REGISTER = { counter: readCounter, gauge: readGauge } as const;

/** Adds the metrics of a resource server to those of the process. */
export function registerResourceServerMetrics(registry: Registry, { all }: ResourceServerMetrics): void {
  for (const { name, help, kind, read } of all) {
    const labels = Object.keys(read()[0]?.labels ?? {});
    REGISTER[kind]<string>(registry, {
      name,
      help,
      labels,
      read: () => read().map((sample) => [sample.labels, sample.value] as const),
    });
  }
}
