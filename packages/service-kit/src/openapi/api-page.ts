import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { html } from '../pages/html.js';
import { pageHeaders } from '../pages/page-headers.js';
import { PAGE_STYLE } from './api-page-style.js';
import { START } from './start-api-page.js';

/** What the page loads, from here alone. */
export const API_PAGE_FILES = ['swagger-ui.css', 'page.css', 'swagger-ui-bundle.js', 'start.js'] as const;

/**
 * The build puts the files of Swagger UI there, so that it need not be installed where services run: below the
 * installed package, also for a program into which its modules were bundled.
 */
const FOLDER = join(
  dirname(createRequire(import.meta.url).resolve('@vestibule/service-kit/package.json')),
  'dist/api-page',
);

/**
 * Everything that the page is and talks to comes from where it comes from itself. Its pictures are part of its style
 * sheet; what is typed into it stays in the page.
 */
const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `form-action 'none'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

const OWN_FILES: ReadonlyMap<string, string> = new Map([
  ['page.css', PAGE_STYLE],
  ['start.js', START],
]);

/** How long browsers may keep the files of the page, in seconds. */
const FILE_LIFETIME_SECONDS = 3_600;

/** The page on which a document is read, and its operations are tried. @param path where the document is */
export function apiPage(path: string): { readonly html: string; readonly headers: Headers } {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const folder = name.replace(/\.json$/, '');
  const title = `API of ${folder}`;
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}/swagger-ui.css">
<link rel="stylesheet" href="${folder}/page.css">
</head>
<body>
<div id="api" data-document="${name}"></div>
<noscript><a href="${name}">${title}</a></noscript>
<script src="${folder}/swagger-ui-bundle.js"></script>
<script src="${folder}/start.js"></script>
</body>
</html>
`;
  return { html: text, headers: pageHeaders(POLICY) };
}

type Headers = Readonly<Record<string, string>>;

/** One of the files. */
export async function apiPageFile(
  name: (typeof API_PAGE_FILES)[number],
): Promise<{ readonly content: string | Buffer; readonly headers: Headers }> {
  return {
    content: OWN_FILES.get(name) ?? (await readFile(join(FOLDER, name))),
    headers: {
      'content-type': name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
      'cache-control': `private, max-age=${FILE_LIFETIME_SECONDS}`,
      'x-content-type-options': 'nosniff',
    },
  };
}
