import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';

const ROOT = new URL('../../../../', import.meta.url);
const SCRIPT = new URL('../scripts/mutated-rules.mjs', import.meta.url);

interface MutatedRules {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  readonly excludedTests?: readonly string[];
  readonly slowTests?: readonly string[];
}

let rules: readonly MutatedRules[];

beforeAll(async () => {
  const script: { readonly MUTATED_RULES: Readonly<Record<string, MutatedRules>> } = await import(
    SCRIPT.href
  );
  rules = Object.values(script.MUTATED_RULES);
});

it('every source that is mutated exists', () => {
  const sources = rules.flatMap((each) => each.sources);
  expect(sources.length).toBeGreaterThan(20);
  expect(sources.filter((source) => !existsSync(inRepository(source)))).toEqual([]);
});

it('every folder of tests that run for mutants has tests', () => {
  const globs = rules.flatMap(({ tests, excludedTests = [] }) => [...tests, ...excludedTests]);
  expect(globs.length).toBeGreaterThan(5);
  expect(globs.filter((glob) => testsBelow(glob).length === 0)).toEqual([]);
});

it('every slow test that runs for mutants exists', () => {
  for (const { tests, slowTests = [] } of rules) {
    const names = tests.flatMap(testsBelow).map((path) => basename(path));
    expect(names).toEqual(expect.arrayContaining(slowTests.map((name) => `${name}.slow.test.ts`)));
  }
});

function testsBelow(glob: string): readonly string[] {
  const folder = inRepository(glob.slice(0, glob.search(/[*{]/)));
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.test.ts'),
  );
}

function inRepository(path: string): string {
  return fileURLToPath(new URL(path, ROOT));
}
