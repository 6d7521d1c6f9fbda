import {
  hiddenFields,
  html,
  localizedPage,
  pageScript,
  policySource,
  type RenderedPage,
} from '@vestibule/http/pages';
import type { LogoutCase } from '@vestibule/logout';
import type { PageSetting } from './page-setting.js';
import { type LogoutLocale, sentences } from './sentences.js';

/** The field that marks a form from our own page. */
export const CONTINUED = 'continued';

/** Submits the form; the button remains for browsers without script. */
const SCRIPT = pageScript(`document.forms[0].submit();`);

/**
 * A page that posts the request again from our own site, since browsers omit the session cookie from forms of other
 * sites. The request goes into a form again, so that its ID token stays out of addresses, histories and logs.
 */
export function continuePage(
  setting: PageSetting,
  locale: LogoutLocale,
  { request, redirect }: LogoutCase,
): RenderedPage {
  const sentence = sentences(setting, locale);
  return localizedPage(setting, locale, {
    title: sentence('oneMoreStepTitle'),
    content: html`<p>${sentence('oneMoreStep')}</p>
<form method="post" action="${setting.action}">
${hiddenFields({ ...request, [CONTINUED]: '1' })}
<div class="actions"><button>${sentence('continue')}</button></div>
</form>
${SCRIPT.element}`,
    script: SCRIPT,
    formTarget: policySource(redirect),
  });
}
