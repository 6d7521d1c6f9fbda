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
  /** The header of the request; its `ui_locales` may be what cannot be read. */
  readonly acceptLanguage: string | undefined;
}

/** The page about a request that cannot be answered. What the request says stands nowhere on it. */
export function errorPage(
  setting: PageSetting,
  { status, error, acceptLanguage }: PageFailure,
): RenderedPage {
  const locale = chooseLocale(setting.languages, { uiLocales: undefined, acceptLanguage });
  const sentence = sentences(setting, locale);
  return render(setting, locale, {
    status,
    title: sentence('errorTitle'),
    content: html`<p role="alert">${sentence(error)}</p>
<p class="faint">${sentence('mayClose')}</p>`,
  });
}
