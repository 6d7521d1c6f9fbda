import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '@vestibule/local-services';
import { expect } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { DOCKER_FOLDER } from '../src/repository.js';

/** The folder of the chart, which is that of the manifests. */
export const CHART_FOLDER: string = join(DOCKER_FOLDER, 'kubernetes');

/** The oldest version of Kubernetes that the chart supports, for commands that have no cluster to ask. */
export const OLDEST_KUBERNETES: readonly string[] = ['--kube-version', '1.27.0'];

/** Values of the chart, or a part of them. */
export interface Values {
  readonly [name: string]: unknown;
}

/** The text of a file of the chart. */
export function chartText(...path: readonly string[]): string {
  return readFileSync(join(CHART_FOLDER, ...path), 'utf8');
}

/** The text of all templates. */
export function templatesText(): string {
  return readdirSync(join(CHART_FOLDER, 'templates'))
    .map((name) => chartText('templates', name))
    .join('\n');
}

/** The default values. */
export function defaultValues() {
  return parse(chartText('values.yaml'), { uniqueKeys: true });
}

/** Whether a value is a map, which Helm merges member by member. */
export function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Merges values as Helm does: maps member by member, everything else is replaced. */
export function mergeValues(values: Values, others: Values): Values {
  const merged: Record<string, unknown> = { ...values };
  for (const [name, other] of Object.entries(others)) {
    const value = merged[name];
    merged[name] = isMap(value) && isMap(other) ? mergeValues(value, other) : other;
  }
  return merged;
}

/** The values with one value, which a path such as `images.tag` names. */
export function valueAtPath(path: string, value: unknown): Values {
  const [name = '', ...rest] = path.split('.');
  return { [name]: rest.length === 0 ? value : valueAtPath(rest.join('.'), value) };
}

/** Whether Helm is installed on this machine. */
export async function hasHelm(): Promise<boolean> {
  return (await runCommand('helm', ['version', '--short'])).exitCode === 0;
}

/** Runs `helm template` with these values over the defaults, in the namespace `vestibule`. */
export async function runTemplate(values: Values = {}, chart: string = CHART_FOLDER) {
  const folder = mkdtempSync(join(tmpdir(), 'helm-values-'));
  try {
    const file = join(folder, 'values.yaml');
    writeFileSync(file, stringify(values));
    const words = ['template', 'vestibule', chart, ...OLDEST_KUBERNETES, '-n', 'vestibule', '-f', file];
    return await runCommand('helm', words);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The objects of the chart with these values over the defaults. */
export async function render(values: Values = {}, chart?: string) {
  const { exitCode, output } = await runTemplate(values, chart);
  expect([exitCode, exitCode === 0 ? '' : output]).toEqual([0, '']);
  return parseAllDocuments(output, { uniqueKeys: true })
    .map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    })
    .filter((document) => document !== null);
}
