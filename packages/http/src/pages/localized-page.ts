import { html, type Markup } from './html.js';
import type { Locale } from './languages/choose-locale.js';
import { formatMessage, type Names } from './languages/format-message.js';
import { page } from './page.js';
import { pagePolicy } from './page-policy.js';
import type { PageScript, PageStyle } from './page-style.js';

/** A rendered page. */
export interface RenderedPage {
  readonly status: number;
  /** Its content security policy. */
  readonly policy: string;
  readonly content: string;
}

/** Common parts of a set of pages. */
export interface PageFrame {
  readonly style: PageStyle;
  /** Image above the title, with its alternative text. */
  readonly logo?: { readonly address: string; readonly text: string };
}

/** Parts that differ between pages. */
export interface PageParts {
  readonly title: string;
  readonly content: Markup;
  /** Default 200. */
  readonly status?: number;
  readonly head?: Markup;
  /** Origin that the form may finally lead to, for the content security policy. */
  readonly formTarget?: string | undefined;
  readonly frames?: readonly string[];
  readonly script?: PageScript;
  /** Whether the script sends requests to its own origin. Default false. */
  readonly connectsToOrigin?: boolean;
}

/** Renders a page in a language. */
export function localizedPage(
  { style, logo }: PageFrame,
  { tag, direction }: Locale<unknown>,
  parts: PageParts,
): RenderedPage {
  const { title, content, head, status = 200, ...permissions } = parts;
  const banner = logo && html`<img class="logo" src="${logo.address}" alt="${logo.text}">`;
  return {
    status,
    policy: pagePolicy({ style, image: logo?.address, ...permissions }),
    content: page({ style, title, content, head, language: tag, direction, banner }),
  };
}

/** Messages of a language by key, with placeholders filled in. */
export function sentencesOf<Messages extends object>(
  { messages }: Locale<Messages>,
  names: Names,
): (name: keyof Messages) => string {
  return (name) => formatMessage(String(messages[name]), names);
}
