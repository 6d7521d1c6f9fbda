import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { ensure } from '../tour-error.js';

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

interface Axe {
  run(): Promise<{ readonly violations: readonly Finding[] }>;
}

let source: Promise<string> | undefined;

/** Checks the current page in light and dark. @throws TourError that lists all findings */
export async function checkAccessibility(page: Page, name: string): Promise<void> {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(await source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const findings = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { readonly axe: Axe };
      return (await axe.run()).violations;
    });
    const lines = findings.map(({ id, help, nodes }) => `${id}: ${help} (${nodes[0]?.html ?? ''})`);
    ensure(lines.length === 0, `The page "${name}" has findings in ${colorScheme}: ${lines.join('; ')}`);
  }
}
