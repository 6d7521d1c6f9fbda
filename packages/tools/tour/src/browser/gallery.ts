import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ensure } from '../tour-error.js';

/** Looks at pages in every width and colour scheme. */
export interface Gallery {
  /** Sees that the page fits, and keeps pictures of it where they are wanted. @throws TourError when it does not fit */
  show(page: Page, name: string): Promise<void>;
  /** Keeps one picture of a page that does not stay for long, as it is. */
  snap(page: Page, name: string): Promise<void>;
}

const WIDTHS = [360, 1440];
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 800;

/** A gallery whose pictures go to a folder; without one the pages are looked at all the same. */
export async function openGallery(folder: string | undefined): Promise<Gallery> {
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  let count = 0;
  const look = async (page: Page, name: string, width: number) => {
    await page.setViewportSize({ width, height: HEIGHT });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    ensure(overflow <= 0, `The page "${name}" is ${overflow} pixels too wide for ${width}.`);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const file = `${String(count).padStart(2, '0')}-${name}-${width}-${colorScheme}.png`;
      // The caret is left alone: hiding it takes a style sheet, which these pages do not allow.
      if (folder !== undefined)
        await page.screenshot({ path: join(folder, file), fullPage: true, caret: 'initial' });
    }
  };
  return {
    show: async (page, name) => {
      count += 1;
      for (const width of WIDTHS) await look(page, name, width);
    },
    snap: async (page, name) => {
      count += 1;
      const file = `${String(count).padStart(2, '0')}-${name}.png`;
      if (folder !== undefined) await page.screenshot({ path: join(folder, file), caret: 'initial' });
    },
  };
}
