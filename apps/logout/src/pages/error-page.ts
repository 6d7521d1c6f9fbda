import type { LanguageRequest } from '@vestibule/service-kit';
import { html } from '@vestibule/service-kit/pages';
import { chooseLocale } from '../languages/choose-locale.js';
import type { PageSetting } from './page-setting.js';
import { type RenderedPage, render, sentences } from './render.js';

/** What went wrong. */
export type PageError = 'badRequest' | 'badMethod' | 'fault';

/** What an error page is about. */
export interface PageFailure {
  readonly status: number;
  readonly error: PageError;
  readonly languages: LanguageRequest;
}

/** The page about a request that cannot be answered. What the request says stands nowhere on it. */
export function errorPage(setting: PageSetting, { status, error, languages }: PageFailure): RenderedPage {
  const locale = chooseLocale(setting.languages, languages);
  const sentence = sentences(setting, locale);
  return render(setting, locale, {
    status,
    title: sentence('errorTitle'),
    content: html`<p role="alert">${sentence(error)}</p>
<p class="faint">${sentence('mayClose')}</p>`,
  });
}
