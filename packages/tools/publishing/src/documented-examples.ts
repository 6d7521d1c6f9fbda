import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type ReadmeExample, readmeExample } from './readme-example.js';
import { ROOT } from './root.js';
import { publishedPackages } from './workspace-packages.js';

/** The example of a page, which uses published packages. */
export interface DocumentedExample {
  /** The page, below the root. */
  readonly path: string;
  /** The package that it documents. */
  readonly uses: string;
  /** Unique among the examples; the name of a file without its ending. */
  readonly name: string;
  readonly example: ReadmeExample;
}

/** The examples of the READMEs of all published packages, and of the guides. */
export function documentedExamples(): readonly DocumentedExample[] {
  const readmes = publishedPackages().map(({ folder, manifest }) => ({
    path: `${folder}/README.md`,
    uses: manifest.name,
  }));
  const pages = [...readmes, { path: 'packages/guides/connect.md', uses: '@vestibule/tokens' }];
  return pages.map(({ path, uses }) => ({
    path,
    uses,
    name: basename(path) === 'README.md' ? basename(dirname(path)) : basename(path, '.md'),
    example: readmeExample(readFileSync(join(ROOT, path), 'utf8')),
  }));
}
