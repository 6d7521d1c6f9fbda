import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = new URL('../../../../', import.meta.url);
const SCRIPT = new URL('../scripts/mutated-rules.mjs', import.meta.url);

interface MutatedRules {
  readonly MUTATED_RULES: Readonly<Record<string, { readonly sources: readonly string[] }>>;
}

it('every source that is mutated exists', async () => {
  const { MUTATED_RULES }: MutatedRules = await import(SCRIPT.href);
  const sources = Object.values(MUTATED_RULES).flatMap((rules) => rules.sources);
  expect(sources.length).toBeGreaterThan(20);
  expect(sources.filter((source) => !existsSync(fileURLToPath(new URL(source, ROOT))))).toEqual([]);
});
