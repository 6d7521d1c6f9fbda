import type { LogoutCase } from '@vestibule/logout';
import {
  hiddenFields,
  html,
  localisedPage,
  pageScript,
  policySource,
  type RenderedPage,
} from '@vestibule/service-kit/pages';
import type { PageSetting } from './page-setting.js';
import { type LogoutLocale, sentences } from './sentences.js';

/** The field that says that the form came from here. */
export const CONTINUED = 'continued';

/** Presses the button; it stays for browsers without script. */
const SCRIPT = pageScript(`document.forms[0].submit();`);

/**
 * The page that sends a request once more from here: browsers leave the session cookie out of a form from another site.
 * The request goes in a form again, so that its ID token stays out of addresses, histories and logs.
 */
export function continuePage(
  setting: PageSetting,
  locale: LogoutLocale,
  { request, redirect }: LogoutCase,
): RenderedPage {
  const sentence = sentences(setting, locale);
  return localisedPage(setting, locale, {
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
