import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ensure } from '../tour-error.js';
import { type PageView, pictureIndex } from './picture-index.js';

/** Checks pages in every width and colour scheme. */
export interface Gallery {
  /** Checks that the page fits, and takes screenshots if configured. @throws TourError when it does not fit */
  show(page: Page, name: string): Promise<void>;
  /** Takes one screenshot of a short-lived page. */
  snap(page: Page, name: string): Promise<void>;
  /** The page with all screenshots; undefined without screenshots. */
  readonly indexFile: string | undefined;
  /** Writes that page. */
  writeIndex(): Promise<void>;
}

const WIDTHS = [360, 1440];
const SCHEMES = ['light', 'dark'] as const;
const HEIGHT = 800;

/**
 * Opens a gallery that saves screenshots in a folder; without a folder pages are still checked.
 * @param chapter the current chapter, under which index.html shows a page
 */
export async function openGallery(folder: string | undefined, chapter: () => string): Promise<Gallery> {
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  const indexFile = folder === undefined ? undefined : join(folder, 'index.html');
  let count = 0;
  const views: PageView[] = [];
  const numbered = (name: string) => `${String(count).padStart(2, '0')}-${name}`;
  const addView = async (page: Page, name: string, files: readonly string[]) => {
    if (folder !== undefined) views.push({ chapter: chapter(), name, title: await page.title(), files });
  };
  const check = async (page: Page, name: string, width: number) => {
    await page.setViewportSize({ width, height: HEIGHT });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    ensure(overflow <= 0, `The page "${name}" is ${overflow} pixels too wide for ${width}.`);
    const files: string[] = [];
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const file = `${numbered(name)}-${width}-${colorScheme}.png`;
      files.push(file);
      // Hiding the caret would need a style sheet, which these pages do not allow.
      if (folder !== undefined)
        await page.screenshot({ path: join(folder, file), fullPage: true, caret: 'initial' });
    }
    return files;
  };
  return {
    show: async (page, name) => {
      count += 1;
      const files: string[] = [];
      for (const width of WIDTHS) files.push(...(await check(page, name, width)));
      await addView(page, name, files);
    },
    snap: async (page, name) => {
      count += 1;
      const file = `${numbered(name)}.png`;
      if (folder !== undefined) await page.screenshot({ path: join(folder, file), caret: 'initial' });
      await addView(page, name, [file]);
    },
    indexFile,
    writeIndex: async () => {
      if (indexFile !== undefined) await writeFile(indexFile, pictureIndex(views));
    },
  };
}
