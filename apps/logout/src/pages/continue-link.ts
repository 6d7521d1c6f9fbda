import type { Client } from '@vestibule/clients';
import { html, type Markup } from '@vestibule/http/pages';
import { clientAddress } from '@vestibule/service';
import type { PageSetting } from './page-setting.js';
import { type LogoutLocale, sentences } from './sentences.js';

/** Where an end-user can go next: the address in the request, or the home page that the client registered. */
export interface ContinueTarget {
  readonly client: Client | undefined;
  readonly redirect: string | undefined;
}

/** A link to the next address, or a sentence that the window can be closed. */
export function continueLink(
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
