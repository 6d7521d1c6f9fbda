/** A metric of one scrape. */
export interface ScrapedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  /** The names of its labels, except common labels and those of buckets. */
  readonly labels: readonly string[];
}

/** The labels of every metric, and those of buckets. */
const COMMON_LABELS = new Set(['service', 'le']);

/** Parses the Prometheus text format, without Node's default metrics. */
export function scrapedMetrics(text: string): readonly ScrapedMetric[] {
  const lines = text.split('\n');
  return lines.flatMap((line) => {
    const [, name = '', help = ''] = /^# HELP (\w+) (.*)$/.exec(line) ?? [];
    if (name === '' || /^(?:nodejs|process)_/.test(name)) return [];
    const type = lines.find((other) => other.startsWith(`# TYPE ${name} `))?.split(' ')[3] ?? '';
    const samples = lines.filter((other) => new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{`).test(other));
    const labels = samples.flatMap((sample) =>
      [...sample.matchAll(/(\w+)="/g)].map(([, label = '']) => label),
    );
    return [{ name, type, help, labels: [...new Set(labels)].filter((label) => !COMMON_LABELS.has(label)) }];
  });
}

/** Metrics as a Markdown table, in alphabetical order. */
export function metricsTable(metrics: readonly ScrapedMetric[]): string {
  const rows = metrics
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, labels, help }) => {
      const labelled = labels.map((label) => `\`${label}\``).join(', ');
      return `| \`${name}\` | ${type} | ${labelled} | ${help} |`;
    });
  return ['| metric | type | labels | meaning |', '|---|---|---|---|', ...rows, ''].join('\n');
}
