import { html, type Markup } from './html.js';
import type { PageLook } from './page-look.js';

/** What a page is made of. */
export interface PageContent {
  readonly look: PageLook;
  readonly title: string;
  /** What stands below the title. */
  readonly content: Markup;
  /** The language of its text as a BCP 47 tag. Default `en`. */
  readonly language?: string;
  /** Default `ltr`. */
  readonly direction?: 'ltr' | 'rtl';
  /** What stands above the title, such as a logo. */
  readonly banner?: Markup | undefined;
  /** What is added to the head. */
  readonly head?: Markup | undefined;
}

/** A whole page. */
export function page({
  look,
  title,
  content,
  language = 'en',
  direction = 'ltr',
  banner,
  head,
}: PageContent): string {
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${look.styleElement}
${head}
</head>
<body>
<main>
${banner}
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
}
