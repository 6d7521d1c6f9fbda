import { html } from '@vestibule/service-kit/pages';
import { chooseLocale } from '../languages/choose-locale.js';
import type { PageSetting } from './page-setting.js';
import { type RenderedPage, render, sentences } from './render.js';

/** What went wrong. */
export type PageError = 'badRequest' | 'badMethod' | 'fault';

/**
 * The page about a request that cannot be answered, in English: what cannot be read names no language either. What the
 * request says stands nowhere on it.
 */
export function errorPage(setting: PageSetting, status: number, error: PageError): RenderedPage {
  const locale = chooseLocale(setting.languages, { uiLocales: undefined, acceptLanguage: undefined });
  const sentence = sentences(setting, locale);
  return render(setting, locale, {
    status,
    title: sentence('errorTitle'),
    content: html`<p role="alert">${sentence(error)}</p>
<p class="faint">${sentence('mayClose')}</p>`,
  });
}
