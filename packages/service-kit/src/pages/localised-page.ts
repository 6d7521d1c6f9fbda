import { html, type Markup } from './html.js';
import type { Locale } from './languages/choose-locale.js';
import { type Names, say } from './languages/say.js';
import { page } from './page.js';
import type { PageLook, PageScript } from './page-look.js';
import { pagePolicy } from './page-policy.js';

/** A page that is ready to be sent. */
export interface RenderedPage {
  readonly status: number;
  /** Its content security policy. */
  readonly policy: string;
  readonly content: string;
}

/** What a set of pages has in common. */
export interface PageFrame {
  readonly look: PageLook;
  /** A picture above the title, and its text for those who do not see it. */
  readonly logo?: { readonly address: string; readonly text: string };
}

/** What differs from page to page. */
export interface PageParts {
  readonly title: string;
  readonly content: Markup;
  /** Default 200. */
  readonly status?: number;
  readonly head?: Markup;
  /** Where its form may lead in the end, as a policy names it. */
  readonly formTarget?: string | undefined;
  readonly frames?: readonly string[];
  readonly script?: PageScript;
  /** Whether its script asks the server that it came from. Default not. */
  readonly asksHere?: boolean;
}

/** Makes a page in a language. */
export function localisedPage(
  { look, logo }: PageFrame,
  { tag, direction }: Locale<unknown>,
  parts: PageParts,
): RenderedPage {
  const { title, content, head, status = 200, ...permissions } = parts;
  const banner = logo && html`<img class="logo" src="${logo.address}" alt="${logo.text}">`;
  return {
    status,
    policy: pagePolicy({ look, image: logo?.address, ...permissions }),
    content: page({ look, title, content, head, language: tag, direction, banner }),
  };
}

/** The sentences of a language, by name, with names of people and programs in their places. */
export function sentencesOf<Messages extends object>(
  { messages }: Locale<Messages>,
  names: Names,
): (name: keyof Messages) => string {
  return (name) => say(String(messages[name]), names);
}
