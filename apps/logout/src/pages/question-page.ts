import type { LogoutCase } from '@vestibule/logout';
import { html, policySource } from '@vestibule/service-kit/pages';
import type { Locale } from '../languages/choose-locale.js';
import type { Messages } from '../languages/messages.js';
import { clientName } from './client-name.js';
import { hiddenFields } from './hidden-fields.js';
import type { PageSetting } from './page-setting.js';
import { type RenderedPage, render, sentences } from './render.js';

/** What the question is asked with. */
export interface QuestionParts {
  /** What has to come back with the answer. */
  readonly confirmation: string;
  /** Why the question is asked again. */
  readonly reason?: 'answeredBefore' | 'questionChanged';
}

/** The page that asks whether to log out of the provider too. */
export function questionPage(
  setting: PageSetting,
  locale: Locale,
  judged: LogoutCase,
  { confirmation, reason }: QuestionParts,
): RenderedPage {
  const { client, request, redirect } = judged;
  const sentence = sentences(setting, locale, client && clientName(client.metadata, locale));
  const notices = [...(reason === undefined ? [] : [reason]), ...noticesOf(judged)];
  return render(setting, locale, {
    title: sentence(client === undefined ? 'question' : 'questionWithClient'),
    content: html`${notices.map((notice) => html`<p class="notice" role="alert">${sentence(notice)}</p>`)}
${client === undefined ? undefined : html`<p>${sentence('sentByClient')}</p>`}
<p id="consequence">${sentence('consequence')}</p>
<form method="post" action="${setting.action}">
${hiddenFields({ ...request, confirmation })}
<div class="actions">
<button name="decision" value="accept" aria-describedby="consequence">${sentence('accept')}</button>
<button class="other" name="decision" value="decline">${sentence('decline')}</button>
</div>
</form>`,
    formTarget: policySource(redirect),
  });
}

/** What an end-user should know of the request: nothing of it is hidden, and none of it is a dead end. */
export function noticesOf({ hint, isRedirectRefused }: LogoutCase): readonly (keyof Messages)[] {
  if (hint === 'bad') return ['badHint'];
  return [
    ...(hint === 'another_login' ? (['anotherLogin'] as const) : []),
    ...(isRedirectRefused ? (['redirectRefused'] as const) : []),
  ];
}
