import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { html } from '../pages/html.js';
import { pageHeaders } from '../pages/page-policy.js';
import { PAGE_STYLE } from './api-page-style.js';
import { START } from './start-api-page.js';

/** Files that the page loads, all from this server. */
export const API_PAGE_FILES = ['swagger-ui.css', 'page.css', 'swagger-ui-bundle.js', 'start.js'] as const;

/**
 * The build copies the files of Swagger UI here, so that Swagger UI need not be installed at run time. The folder is
 * below the installed package, also for bundled programs.
 */
const FOLDER = join(
  dirname(createRequire(import.meta.url).resolve('@vestibule/http/package.json')),
  'dist/api-page',
);

/**
 * The page loads from and connects to its own origin only. Its images are embedded in the style sheet, and its forms
 * are not submitted.
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

/** How long browsers may cache the files of the page, in seconds. */
const FILE_LIFETIME_SECONDS = 3_600;

/**
 * Renders the page that shows an OpenAPI document and lets users try its operations.
 * @param path path of the document
 */
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

/** Returns one of the files of the page. */
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
