import { html, type Markup } from './html.js';
import type { PageStyle } from './page-style.js';

/** Content of a page. */
export interface PageContent {
  readonly style: PageStyle;
  readonly title: string;
  /** Content below the title. */
  readonly content: Markup;
  /** Language as a BCP 47 tag. Default `en`. */
  readonly language?: string;
  /** Default `ltr`. */
  readonly direction?: 'ltr' | 'rtl';
  /** Content above the title, such as a logo. */
  readonly banner?: Markup | undefined;
  /** Additional content of the head element. */
  readonly head?: Markup | undefined;
}

/** Renders a complete page. */
export function page({
  style,
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
${style.styleElement}
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
