import type { LogoutRequest } from '@vestibule/logout';
import { html } from '@vestibule/service-kit/pages';
import type { Locale } from '../languages/choose-locale.js';
import { hiddenFields } from './hidden-fields.js';
import type { PageSetting } from './page-setting.js';
import { type RenderedPage, render, sentences } from './render.js';

/** The field that says that the form came from here. */
export const CONTINUED = 'continued';

/**
 * The page that sends a request once more from here: with a form that came from another site, browsers do not send the
 * cookie of the session.
 */
export function continuePage(setting: PageSetting, locale: Locale, request: LogoutRequest): RenderedPage {
  const sentence = sentences(setting, locale);
  return render(setting, locale, {
    title: sentence('oneMoreStepTitle'),
    content: html`<p>${sentence('oneMoreStep')}</p>
<form method="post" action="${setting.action}">
${hiddenFields({ ...request, [CONTINUED]: '1' })}
<div class="actions"><button>${sentence('continue')}</button></div>
</form>`,
  });
}
