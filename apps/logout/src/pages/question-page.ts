import type { LogoutCase, RedirectRefusal } from '@vestibule/logout';
import {
  hiddenFields,
  html,
  localisedPage,
  policySource,
  type RenderedPage,
} from '@vestibule/service-kit/pages';
import type { Messages } from '../languages/messages.js';
import type { PageSetting } from './page-setting.js';
import { type LogoutLocale, sentences } from './sentences.js';

/** What the question is asked with. */
export interface QuestionParts {
  /** What has to come back with the answer. */
  readonly confirmation: string;
  /** Why the question is asked again. */
  readonly reason?: 'answeredBefore' | 'questionChanged';
  /** Who is logged in, in words that the end-user knows. */
  readonly account: string | undefined;
}

/** The page that asks whether to log out of the provider too. */
export function questionPage(
  setting: PageSetting,
  locale: LogoutLocale,
  judged: LogoutCase,
  { confirmation, reason, account }: QuestionParts,
): RenderedPage {
  const { client, request, redirect, hint } = judged;
  const sentence = sentences(setting, locale, { client, account });
  const notices = [...(reason === undefined ? [] : [reason]), ...noticesOf(judged)];
  const endsAtClient = client !== undefined && hint === 'this_login';
  return localisedPage(setting, locale, {
    title: sentence(endsAtClient ? 'questionWithClient' : 'question'),
    content: html`${notices.map((notice) => html`<p class="notice" role="alert">${sentence(notice)}</p>`)}
${endsAtClient ? html`<p>${sentence('sentByClient')}</p>` : undefined}
${account === undefined ? undefined : html`<p class="account">${sentence('loggedInAs')}</p>`}
<p id="consequence">${sentence('consequence')}</p>
<form method="post" action="${setting.action}">
${hiddenFields({ ...request, confirmation })}
<div class="actions">
<button name="decision" value="accept" aria-describedby="consequence">${sentence('accept')}</button>
<button class="other" name="decision" value="decline">${sentence(endsAtClient ? 'declineWithClient' : 'decline')}</button>
</div>
</form>`,
    formTarget: policySource(redirect),
  });
}

const REDIRECT_NOTICES = {
  not_registered: 'redirectNotRegistered',
  unproven_client: 'redirectRefused',
} as const satisfies Readonly<Record<RedirectRefusal, keyof Messages>>;

/** What an end-user should know of the request: nothing of it is hidden, and none of it is a dead end. */
export function noticesOf({ hint, redirectRefusal }: LogoutCase): readonly (keyof Messages)[] {
  if (hint === 'bad') return ['badHint'];
  return [
    ...(hint === 'another_login' ? (['anotherLogin'] as const) : []),
    ...(redirectRefusal === undefined ? [] : [REDIRECT_NOTICES[redirectRefusal]]),
  ];
}
