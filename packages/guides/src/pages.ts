import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A page of the repository that people read. */
export interface Page {
  /** Below the root. */
  readonly path: string;
  readonly text: string;
}

/** What is installed, built or kept between runs, and the folders of tools; pages of these are not ours. */
const FOREIGN = ['node_modules', 'dist', '.git', '.turbo', '.vestibule', '.changeset'];

/** Every page of the repository. */
export function pages(): readonly Page[] {
  return read('', '.md');
}

/** Every TypeScript file of the repository, tests included. */
export function sources(): readonly Page[] {
  return ['apps', 'packages'].flatMap((folder) => read(folder, '.ts'));
}

function read(folder: string, extension: string): readonly Page[] {
  return pathsBelow(folder, extension).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }));
}

function pathsBelow(folder: string, extension: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return FOREIGN.includes(entry.name) ? [] : pathsBelow(path, extension);
    return entry.name.endsWith(extension) ? [path] : [];
  });
}

/** A page without what stands in fenced blocks and in code. */
export function prose({ text }: Page): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
}

/** The names that links can lead to within a page: its headings, as Markdown makes them. */
export function anchors(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
