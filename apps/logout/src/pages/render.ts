import { html, type Markup, type PageScript, page, pagePolicy } from '@vestibule/service-kit/pages';
import type { Locale } from '../languages/choose-locale.js';
import { type Names, say } from '../languages/say.js';
import type { PageSetting } from './page-setting.js';

/** A page that is ready to be sent. */
export interface RenderedPage {
  readonly status: number;
  /** Its content security policy. */
  readonly policy: string;
  readonly content: string;
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
}

/** Makes a page in a language. */
export function render(setting: PageSetting, locale: Locale, parts: PageParts): RenderedPage {
  const { look, logo, provider } = setting;
  const { title, content, head, status = 200, ...permissions } = parts;
  return {
    status,
    policy: pagePolicy({ look, image: logo, ...permissions }),
    content: page({
      look,
      title,
      content,
      head,
      language: locale.tag,
      direction: locale.direction,
      banner: logo === undefined ? undefined : html`<img class="logo" src="${logo}" alt="${provider}">`,
    }),
  };
}

/** Sentences of a page in its language, about the provider and, where it is known, a client. */
export function sentences(setting: PageSetting, { messages }: Locale, client?: string) {
  const names: Names = { provider: setting.provider, ...(client !== undefined && { client }) };
  return (name: keyof Locale['messages']): string => say(messages[name], names);
}
