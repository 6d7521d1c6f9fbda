import type { Client } from '@vestibule/clients';
import { html, localizedPage, type Markup, type RenderedPage } from '@vestibule/http/pages';
import type { LogoutCase, LogoutOutcome } from '@vestibule/logout';
import { clientAddress } from '@vestibule/service';
import type { Messages } from '../languages/messages.js';
import { noticesOf } from './confirmation-page.js';
import { notificationPart } from './notification-part.js';
import type { PageSetting } from './page-setting.js';
import { type LogoutLocale, sentences } from './sentences.js';

/** How a logout ended. */
export type PageOutcome = LogoutOutcome & {
  /** The receipt with which the page reads the state of back-channel notifications, if there are any. */
  readonly receipt: string | undefined;
  /** Where the browser goes next. */
  readonly redirect: string | undefined;
};

/** The page that shows the outcome, notifies clients by front channel, and links to the next address. */
export function outcomePage(
  setting: PageSetting,
  locale: LogoutLocale,
  evaluated: LogoutCase,
  outcome: PageOutcome,
): RenderedPage {
  const { client } = evaluated;
  const { redirect } = outcome;
  const sentence = sentences(setting, locale, { client });
  const { title, text } = SENTENCES[outcome.kind];
  const notices = noticesOf(evaluated).map(
    (notice) => html`<p class="notice" role="alert">${sentence(notice)}</p>`,
  );
  const part =
    'clients' in outcome && outcome.clients.length > 0 && notificationPart(setting, locale, outcome);
  return localizedPage(setting, locale, {
    ...part,
    title: sentence(title),
    content: html`${notices}<p>${sentence(text)}</p>
${part ? part.content : undefined}
${continueLink(setting, locale, { client, redirect })}`,
  });
}

const SENTENCES: Readonly<
  Record<PageOutcome['kind'], { readonly title: keyof Messages; readonly text: keyof Messages }>
> = {
  ended: { title: 'endedTitle', text: 'ended' },
  left: { title: 'stillTitle', text: 'left' },
  kept: { title: 'stillTitle', text: 'kept' },
  gone: { title: 'notLoggedInTitle', text: 'notLoggedIn' },
};

/** Where an end-user can go next: the address in the request, or the home page that the client registered. */
interface ContinueTarget {
  readonly client: Client | undefined;
  readonly redirect: string | undefined;
}

/** A link to the next address, or a sentence that the window can be closed. */
function continueLink(
  setting: PageSetting,
  locale: LogoutLocale,
  { client, redirect }: ContinueTarget,
): Markup {
  const sentence = sentences(setting, locale, { client });
  const address = redirect ?? (client && clientAddress(client.metadata, 'client_uri', locale));
  const words = sentence(client === undefined ? 'continue' : 'goOn');
  return address === undefined
    ? html`<p class="faint">${sentence('mayClose')}</p>`
    : html`<p><a class="way" href="${address}" rel="noreferrer">${words}</a></p>`;
}
