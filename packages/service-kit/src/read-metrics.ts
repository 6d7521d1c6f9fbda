import { Counter, Gauge, type Registry } from 'prom-client';

/** One sample: its labels and its value. */
export type Sample<Label extends string> = readonly [labels: Readonly<Record<Label, string>>, value: number];

/** A metric whose numbers someone else keeps; they are read when someone asks for them. */
export interface ReadMetric<Label extends string = never> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
  readonly read: () => Iterable<Sample<Label>>;
}

/** Registers what only ever grows. */
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

/** Registers what goes up and down. */
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
