import type { ErrorPresenter, LanguageRequest } from '@vestibule/http/errors';
import {
  chooseLocale,
  html,
  type Locale,
  localizedPage,
  type Names,
  type PageFailure,
  type PageFrame,
  type PageParts,
  pageErrors,
  pageHeaders,
  pageStyle,
  type RenderedPage,
  sentencesOf,
} from '@vestibule/http/pages';
import { BUILT_IN_LANGUAGES } from './languages/built-in-languages.js';
import type { Messages } from './languages/messages.js';

const FRAME: PageFrame = { style: pageStyle() };

/** The language of one page. */
export type PageLocale = Locale<Messages>;

/** The language for a request. */
export function localeOf(languages: LanguageRequest): PageLocale {
  return chooseLocale(BUILT_IN_LANGUAGES, languages);
}

/** The sentences of a page, with names filled in. */
export function sentences(locale: PageLocale, names: Names = {}): (name: keyof Messages) => string {
  return sentencesOf(locale, names);
}

/** Renders a page. */
export function page(locale: PageLocale, parts: PageParts): RenderedPage {
  return localizedPage(FRAME, locale, parts);
}

/** The page for a request or an interaction that has expired or belongs to another browser. */
export function expiredPage(locale: PageLocale): RenderedPage {
  const sentence = sentences(locale);
  return page(locale, {
    status: 400,
    title: sentence('expiredTitle'),
    content: html`<p>${sentence('expired')}</p>`,
  });
}

/** The page for a throttled request. */
export function throttledPage(locale: PageLocale): RenderedPage {
  const sentence = sentences(locale);
  return page(locale, {
    status: 429,
    title: sentence('errorTitle'),
    content: html`<p role="alert">${sentence('tooManyRequests')}</p>`,
  });
}

/** Presentation of errors of the pages, as pages. */
export const PAGE_ERRORS = pageErrors(failurePresenter);

function failurePresenter(status: number, failure: PageFailure): ErrorPresenter {
  return (_error, languages = () => ({})) => {
    const locale = localeOf(languages());
    const sentence = sentences(locale);
    const { policy, content } = page(locale, {
      title: sentence('errorTitle'),
      content: html`<p role="alert">${sentence(failure)}</p>`,
    });
    return { status, headers: pageHeaders(policy), body: content };
  };
}
