import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '@vestibule/local-services';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { DOCKER_FOLDER } from '../src/repository.js';

const promtool = await runCommand('promtool', ['--version']);

const ALERTS = join(DOCKER_FOLDER, 'prometheus/alerts.yml');

/** The checked members of the rules of Prometheus. */
interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
}

/** The checked members of the tests of the rules. */
interface RuleTests {
  readonly tests: readonly { readonly alert_rule_test: readonly { readonly alertname: string }[] }[];
}

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vestibule-alerts-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Writes each test of the alerts to a file of its own, with the alerts that it names in place of all. Evaluating the others,
 * at whose outcome a test does not look, would take most of the time.
 */
async function testsOfAlerts(): Promise<readonly string[]> {
  const { tests, ...shared }: RuleTests = await textsOf(join(import.meta.dirname, 'alerts.promtool.yaml'));
  const { groups }: Rules = await textsOf(ALERTS);
  return Promise.all(
    tests.map(async (test, index) => {
      const named = new Set(test.alert_rule_test.map(({ alertname }) => alertname));
      const tested = groups
        .map((group) => ({ ...group, rules: group.rules.filter(({ alert }) => named.has(alert)) }))
        .filter(({ rules }) => rules.length > 0);
      expect(new Set(tested.flatMap(({ rules }) => rules.map(({ alert }) => alert)))).toEqual(named);
      const [rules, file] = [join(folder, `${index}-rules.yaml`), join(folder, `${index}-tests.yaml`)];
      await writeFile(rules, stringify({ groups: tested }));
      await writeFile(file, stringify({ ...shared, rule_files: [rules], tests: [test] }));
      return file;
    }),
  );
}

/** Reads a file without numbers: a series of values such as 0x140 would be one. */
async function textsOf(file: string) {
  return parse(await readFile(file, 'utf8'), { schema: 'failsafe' });
}

it.skipIf(promtool.exitCode !== 0).each([
  ['check', 'config', async () => [join(DOCKER_FOLDER, 'prometheus/prometheus.yml')]],
  ['check', 'rules', async () => [ALERTS]],
  ['test', 'rules', testsOfAlerts],
] as const)(
  'accepts the settings of Prometheus and the alerts: promtool %s %s',
  async (noun, verb, files) => {
    const { exitCode, output } = await runCommand('promtool', [noun, verb, ...(await files())]);
    expect([exitCode, output]).toEqual([0, expect.anything()]);
  },
);
