import { hiddenFields, html, localizedPage, policySource, type RenderedPage } from '@vestibule/http/pages';
import type { LogoutCase, RedirectRefusal } from '@vestibule/logout';
import type { Messages } from '../languages/messages.js';
import type { PageSetting } from './page-setting.js';
import { type LogoutLocale, sentences } from './sentences.js';

/** Parts of {@link confirmationPage}. */
export interface ConfirmationPageParts {
  /** The value that must come back with the decision. */
  readonly confirmation: string;
  /** Why the page asks again. */
  readonly reason?: 'answeredBefore' | 'questionChanged';
  /** The account name that the end-user knows. */
  readonly account: string | undefined;
}

/** The page that asks whether to log out of the provider too. */
export function confirmationPage(
  setting: PageSetting,
  locale: LogoutLocale,
  evaluated: LogoutCase,
  { confirmation, reason, account }: ConfirmationPageParts,
): RenderedPage {
  const { client, request, redirect, hint } = evaluated;
  const sentence = sentences(setting, locale, { client, account });
  const notices = [...(reason === undefined ? [] : [reason]), ...noticesOf(evaluated)];
  const endsAtClient = hint === 'this_session';
  return localizedPage(setting, locale, {
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

/** Notices about the request. Every problem is shown. */
export function noticesOf({ hint, redirectRefusal }: LogoutCase): readonly (keyof Messages)[] {
  if (hint === 'invalid') return ['badHint'];
  return [
    ...(hint === 'another_session' ? (['anotherLogin'] as const) : []),
    ...(redirectRefusal === undefined ? [] : [REDIRECT_NOTICES[redirectRefusal]]),
  ];
}
