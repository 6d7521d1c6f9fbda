import { html, type Markup, policySource, type RenderedPage } from '@vestibule/http/pages';
import type { PendingInteraction } from '../interaction/interaction-host.js';
import { documentHost, sentencesFor } from '../pages/consent-page.js';
import { type PageLocale, page, sentences } from '../pages/page.js';

/** What stands above every page of the demonstration. */
export function demoNote(locale: PageLocale): Markup {
  return html`<p class="demo" role="note">${sentences(locale)('demo')}</p>`;
}

/** The login page; with a problem after a failed login. */
export function loginPage(
  locale: PageLocale,
  pending: PendingInteraction,
  problem?: 'wrongPassword',
): RenderedPage {
  const sentence = sentencesFor(locale, pending);
  const { accountId, loginHint, client } = pending;
  return page(locale, {
    status: problem === undefined ? 200 : 400,
    title: sentence('logIn'),
    content: html`${demoNote(locale)}
<p>${sentence('loginFor')}</p>
${documentHost(sentence, pending)}
${accountId === undefined ? undefined : html`<p class="account">${sentence('loggedInAs')}</p>`}
${problem === undefined ? undefined : html`<p class="alert" role="alert">${sentence(problem)}</p>`}
<form method="post" autocomplete="on">
<label for="username">${sentence('username')}</label>
<input id="username" name="username" value="${loginHint}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="255" dir="auto" required autofocus>
<label for="password">${sentence('password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="255" required>
<div class="actions">
<button name="decision" value="login">${sentence('logIn')}</button>
<button class="other" name="decision" value="refuse" formnovalidate>${sentence('cancel')}</button>
</div>
</form>`,
    formTarget: policySource(client.redirectUri),
  });
}
