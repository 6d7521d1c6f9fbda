import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const WIDTHS = [360, 1440] as const;
/** The colour schemes, with the rules of axe whose outcome they change; default: all rules. */
const SCHEMES = [
  { colorScheme: 'light', rules: undefined },
  { colorScheme: 'dark', rules: ['color-contrast', 'link-in-text-block'] },
] as const;
const HEIGHT = 900;

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(
    context: object,
    options: { readonly resultTypes: readonly string[]; readonly runOnly?: readonly string[] },
  ): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  }>;
}

/**
 * Looks at what a page shows, with everything unfolded, at 360 and 1440 pixels, light and dark: nothing is wider than the
 * window, axe finds nothing, no text of anyone was run as a script, and none
 * changes the direction of others.
 * @param name what the page is, for the messages
 */
export async function lookAtPage(page: Page, name: string): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  await page.evaluate(AXE);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect.soft(overflow, `${name} at ${width}`).toBeLessThanOrEqual(0);
    for (const { colorScheme, rules } of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      expect.soft(await findingsOf(page, rules), `${name} at ${width}, ${colorScheme}`).toEqual([]);
    }
  }
  expect.soft(await page.evaluate(() => 'harmed' in globalThis), name).toBe(false);
  // biome-ignore lint/performance/useDomNodeTextContent: what is shown, without the content of fields
  expect.soft((await page.innerText('main')).match(REORDERING), name).toBe(null);
}

/** Characters that change the direction of the text around them. */
const REORDERING = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

function findingsOf(page: Page, rules: readonly string[] | undefined): Promise<readonly string[]> {
  return page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as { readonly axe: Axe };
    const { violations } = await axe.run(document, {
      resultTypes: ['violations'],
      ...(runOnly && { runOnly }),
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
  }, rules);
}
