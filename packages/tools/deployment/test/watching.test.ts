import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DOCKER_FOLDER } from '../src/repository.js';
import { type ComposeService, environmentOf, mountsOf, readCompose } from './compose-file.js';
import { knownMetrics } from './known-metrics.js';
import { selectorsOf } from './promql.js';
import { defaultPort, SERVICE_SETTINGS } from './settings.js';

const Datasource = Type.Object({ type: Type.Literal('prometheus'), uid: Type.Literal(`$\u007bdatasource}`) });
const Panel = Type.Object({
  id: Type.Integer(),
  type: Type.Enum(['timeseries', 'stat']),
  title: Type.String({ minLength: 1 }),
  // Statements, not questions.
  description: Type.String({ pattern: '^[A-Z][^?]{20,}\\.$' }),
  datasource: Datasource,
  gridPos: Type.Object({ x: Type.Integer(), y: Type.Integer(), w: Type.Integer(), h: Type.Integer() }),
  fieldConfig: Type.Object({ defaults: Type.Object({ unit: Type.String({ minLength: 1 }) }) }),
  targets: Type.Array(Type.Object({ refId: Type.String(), datasource: Datasource, expr: Type.String() }), {
    minItems: 1,
  }),
});
const Dashboard = Type.Object({
  uid: Type.String({ pattern: '^vestibule-[a-z-]+$' }),
  title: Type.String({ minLength: 1 }),
  schemaVersion: Type.Integer(),
  templating: Type.Object({
    list: Type.Tuple([
      Type.Object({
        name: Type.Literal('datasource'),
        type: Type.Literal('datasource'),
        query: Type.Literal('prometheus'),
      }),
    ]),
  }),
  panels: Type.Array(Panel, { minItems: 5, maxItems: 15 }),
});
const Rules = Type.Object({
  groups: Type.Array(
    Type.Object({
      name: Type.String(),
      rules: Type.Array(
        Type.Object({
          alert: Type.String({ pattern: '^[A-Z][A-Za-z]+$' }),
          expr: Type.String(),
          for: Type.Optional(Type.String()),
          labels: Type.Object({ severity: Type.Enum(['critical', 'warning']) }),
          annotations: Type.Object({
            summary: Type.String({ pattern: '\\.$' }),
            // One sentence.
            action: Type.String({ pattern: '^[A-Z](?:(?!\\. ).)*\\.$' }),
          }),
        }),
        { minItems: 1 },
      ),
    }),
  ),
});
const Scrapes = Type.Object({
  rule_files: Type.Array(Type.String()),
  scrape_configs: Type.Array(
    Type.Object({
      job_name: Type.String(),
      dns_sd_configs: Type.Tuple([
        Type.Object({ names: Type.Array(Type.String()), type: Type.Literal('A'), port: Type.Integer() }),
      ]),
    }),
  ),
});

const read = (...path: string[]) => readFileSync(join(DOCKER_FOLDER, ...path), 'utf8');
const dashboards: readonly (readonly [string, Static<typeof Dashboard>])[] = readdirSync(
  join(DOCKER_FOLDER, 'dashboards'),
)
  .filter((name) => name.endsWith('.json'))
  .map((name) => [name, Value.Parse(Dashboard, JSON.parse(read('dashboards', name)))]);
const { groups } = Value.Parse(Rules, parse(read('prometheus', 'alerts.yml')));
const rules = groups.flatMap((group) => group.rules);
const scrapes = Value.Parse(Scrapes, parse(read('prometheus', 'prometheus.yml')));
const compose = readCompose();
let known: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  known = await knownMetrics();
});

/** Metrics in an expression that no service has, and labels that its metrics do not have. */
function unknownMetricsIn(expression: string): string[] {
  const selectors = selectorsOf(expression);
  if (selectors.length === 0) return ['no metric'];
  return selectors.flatMap(({ metric, labels }) => {
    const own = known.get(metric);
    if (own === undefined) return [metric];
    return labels.filter((label) => !own.includes(label)).map((label) => `${metric}{${label}}`);
  });
}

/** The file on this machine that a container sees at a path. */
function fileBehind(service: ComposeService | undefined, path: string): string {
  const mounts = service === undefined ? [] : mountsOf(service);
  const [mount] = mounts
    .filter(({ target }) => path.startsWith(`${target}/`))
    .sort((a, b) => b.target.length - a.target.length);
  return join(DOCKER_FOLDER, mount?.source ?? 'nowhere', path.slice(mount?.target.length));
}

it('finds the metrics and labels in expressions', () => {
  expect(
    selectorsOf(
      'sum by (le, job) (rate(a_bucket{x="b{c}",y=~"z"}[5m] offset 1d)) / on(k) a:b > 0.5 and time() - up == 1e3',
    ),
  ).toEqual([
    { metric: 'a_bucket', labels: ['x', 'y', 'le', 'job', 'k'] },
    { metric: 'a:b', labels: ['le', 'job', 'k'] },
    { metric: 'up', labels: ['le', 'job', 'k'] },
  ]);
});

describe('the dashboards', () => {
  it('are six, each with a stable address', () => {
    expect(dashboards.map(([name, { uid }]) => [name, uid])).toEqual(
      ['federation', 'forward-auth', 'introspection', 'logout', 'overview', 'registration'].map((name) => [
        `${name}.json`,
        `vestibule-${name}`,
      ]),
    );
    for (const [, dashboard] of dashboards) expect(dashboard).not.toHaveProperty('id');
  });

  it.each(dashboards)('use metrics and labels in %s that the services have', (_name, { panels }) => {
    for (const { title, targets } of panels)
      for (const { expr } of targets) expect([title, unknownMetricsIn(expr)]).toEqual([title, []]);
  });

  it.each(dashboards)('describe each panel in %s in terms of the field', (_name, { panels }) => {
    for (const { title, description } of panels) {
      expect(description).toMatch(/^(?:Shows|Counts|Lists) /);
      const riddles = /\b(?:nobody|somebody|anybody|whoever|whom|others|ours?|us|we|remembered)\b/i;
      expect(`${title}: ${description}`).not.toMatch(riddles);
    }
    const descriptions = panels.map(({ description }) => description);
    expect(new Set(descriptions).size).toBe(descriptions.length);
  });

  it.each(dashboards)('arrange panels in %s without overlap', (_name, { panels }) => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });

  it('are provisioned for Grafana with Prometheus as their data source', () => {
    const grafana = compose.services['grafana'];
    const provisioned = (kind: string, name: string) =>
      parse(readFileSync(fileBehind(grafana, `/etc/grafana/provisioning/${kind}/${name}`), 'utf8'));
    const [{ options }] = provisioned('dashboards', 'vestibule.yaml').providers;
    const home = environmentOf(grafana ?? {})['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH'] ?? '';
    expect(fileBehind(grafana, `${options.path}/overview.json`)).toBe(
      join(DOCKER_FOLDER, 'dashboards/overview.json'),
    );
    expect(existsSync(fileBehind(grafana, home))).toBe(true);
    expect(provisioned('datasources', 'prometheus.yaml').datasources).toMatchObject([
      { type: 'prometheus', url: 'http://prometheus:9090', isDefault: true },
    ]);
    expect(compose.services['prometheus']?.networks).toEqual(grafana?.networks);
  });
});

describe('Prometheus', () => {
  it('scrapes every service at its management port, each instance separately', () => {
    const expected = [...SERVICE_SETTINGS.keys()].map((name) => [
      name,
      [name],
      Number(defaultPort(name)) + 1000,
    ]);
    expect(
      scrapes.scrape_configs.map(({ job_name, dns_sd_configs: [{ names, port }] }) => [
        job_name,
        names,
        port,
      ]),
    ).toEqual(expected);
  });

  it('finds its configuration where its container looks, and the rules beside it', () => {
    const file = fileBehind(compose.services['prometheus'], '/etc/prometheus/prometheus.yml');
    for (const name of scrapes.rule_files) expect(existsSync(join(file, '..', name))).toBe(true);
  });

  it('alerts on metrics and labels that the services have', () => {
    for (const { alert, expr } of rules) expect([alert, unknownMetricsIn(expr)]).toEqual([alert, []]);
  });

  it('uses labels in alert texts that their expressions keep', () => {
    for (const { alert, expr, annotations } of rules) {
      const named = [...JSON.stringify(annotations).matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
      const labels = selectorsOf(expr).flatMap(({ metric, labels: own }) =>
        /\b(?:sum|min|max)\b/.test(expr) ? own : (known.get(metric) ?? []),
      );
      for (const label of named) expect([alert, labels]).toEqual([alert, expect.arrayContaining([label])]);
    }
  });
});
