import { Counter, Gauge, type Registry } from 'prom-client';

/** One sample: its labels and its value. */
export type Sample<Label extends string> = readonly [labels: Readonly<Record<Label, string>>, value: number];

/** A metric whose values are read on scrape. */
export interface ReadMetric<Label extends string = never> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
  readonly read: () => Iterable<Sample<Label>>;
}

/** Registers a counter that is read on scrape. */
export function readCounter<Label extends string = never>(
  registry: Registry,
  metric: ReadMetric<Label>,
): void {
  const { name, help, labels = [], read } = metric;
  new Counter({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    collect() {
      this.reset();
      for (const [labelled, value] of read()) this.inc(labelled, value);
    },
  });
}

/** Registers a gauge that is read on scrape. */
export function readGauge<Label extends string = never>(registry: Registry, metric: ReadMetric<Label>): void {
  const { name, help, labels = [], read } = metric;
  new Gauge({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    collect() {
      for (const [labelled, value] of read()) this.set(labelled, value);
    },
  });
}
