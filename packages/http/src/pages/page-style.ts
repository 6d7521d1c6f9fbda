import { createHash } from 'node:crypto';
import type { Markup } from './html.js';

/** Customizations of the page style, from settings or code, never from a request. */
export interface PageStyleOptions {
  /** Colour of buttons and links in light mode, as `#rrggbb`; white text on it must be readable. */
  readonly accent?: string;
  /** The same in dark mode; nearly black text on it must be readable. */
  readonly accentInDark?: string;
  /** Additional CSS rules. */
  readonly moreStyle?: string;
}

/** The style sheet of a set of pages. */
export interface PageStyle {
  readonly styleElement: Markup;
  /** Source expression of the style sheet for the content security policy. */
  readonly styleSource: string;
}

/** A built-in script of a page. */
export interface PageScript {
  readonly element: Markup;
  /** Source expression for the content security policy. */
  readonly source: string;
}

const ACCENT = '#1f5fbf';
const ACCENT_IN_DARK = '#8ab8ff';

/**
 * The rules with the colours of pages, as custom properties, for a light and a dark background.
 * @param own further properties of each, which replace those before them
 */
export function pageColors(own: { readonly light: string; readonly dark: string }): string {
  return `:root { color-scheme: light dark; --ground: #f4f5f7; --card: #fff; --text: #1b1f24; --faint: #57606a; --line: #d0d7de;
  --accent: ${ACCENT}; --on-accent: #fff; --alert: #a40e26; ${own.light} }
@media (prefers-color-scheme: dark) { :root { --ground: #14171c; --card: #1d2128; --text: #e8eaed; --faint: #a3adb8;
  --line: #3a424d; --accent: ${ACCENT_IN_DARK}; --on-accent: #10141a; --alert: #ff9aa5; ${own.dark} } }`;
}

/** Creates the style of a set of pages: light and dark, narrow and wide, left-to-right and right-to-left. */
export function pageStyle({
  accent = ACCENT,
  accentInDark = ACCENT_IN_DARK,
  moreStyle = '',
}: PageStyleOptions = {}): PageStyle {
  const style = `
${pageColors({ light: `--accent: ${accent};`, dark: `--accent: ${accentInDark};` })}
${PLAIN_STYLE}${moreStyle}`;
  return { styleElement: trusted(`<style>${style}</style>`), styleSource: sourceOf(style) };
}

/**
 * Creates a script element, whose source the page policy must allow. Its text is constant; values from requests reach
 * it through element attributes.
 */
export function pageScript(text: string): PageScript {
  return { element: trusted(`<script>${text}</script>`), source: sourceOf(text) };
}

const PLAIN_STYLE = `
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; align-items: center; justify-content: center; padding: 1.5rem 1rem;
  background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 26rem; padding: 1.75rem 1.5rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .75rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.25; }
p, ul { margin: 0 0 1rem; } ul { padding-inline-start: 1.25rem; }
.demo { padding: .5rem .75rem; border: 1px dashed var(--faint); border-radius: .5rem; color: var(--faint);
  font-size: .875rem; }
.alert { color: var(--alert); font-weight: 600; } .code { font-family: ui-monospace, monospace; }
label { display: block; margin: 0 0 .25rem; font-weight: 600; }
input { width: 100%; margin: 0 0 1rem; padding: .625rem .75rem; font: inherit; color: inherit; background: transparent;
  border: 1px solid var(--faint); border-radius: .5rem; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; }
button { flex: 1 1 8rem; padding: .625rem 1rem; font: inherit; font-weight: 600; border-radius: .5rem; cursor: pointer;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); }
button.other { background: transparent; color: var(--accent); }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

/**
 * Marks built-in style sheets and scripts as markup. Policies allow them by hash. Templates are the only other way to
 * create markup.
 */
function trusted(text: string): Markup {
  return { text } as Markup;
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
