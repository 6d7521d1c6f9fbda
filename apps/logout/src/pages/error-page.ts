import type { LanguageRequest } from '@vestibule/http/errors';
import {
  chooseLocale,
  html,
  localizedPage,
  type PageFailure,
  type RenderedPage,
} from '@vestibule/http/pages';
import type { PageSetting } from './page-setting.js';
import { sentences } from './sentences.js';

/** The error that a page shows. */
export interface ShownFailure {
  readonly status: number;
  readonly failure: PageFailure;
  readonly languages: LanguageRequest;
}

/** The error page, with a link to log out all the same. It repeats nothing of the request. */
export function errorPage(setting: PageSetting, { status, failure, languages }: ShownFailure): RenderedPage {
  const locale = chooseLocale(setting.languages, languages);
  const sentence = sentences(setting, locale);
  return localizedPage(setting, locale, {
    status,
    title: sentence('errorTitle'),
    content: html`<p role="alert">${sentence(failure)}</p>
<p><a class="way" href="${setting.action}">${sentence('tryAgain')}</a></p>`,
  });
}
