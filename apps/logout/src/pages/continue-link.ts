import type { Client } from '@vestibule/clients';
import { clientAddress, html, type Markup } from '@vestibule/service-kit/pages';
import type { PageSetting } from './page-setting.js';
import { type LogoutLocale, sentences } from './sentences.js';

/** Where an end-user can go on to: what the request asked for, or the home that the client registered. */
export interface Way {
  readonly client: Client | undefined;
  readonly redirect: string | undefined;
}

/** The way on: a link where there is somewhere to go, else that the window can be closed. */
export function continueLink(setting: PageSetting, locale: LogoutLocale, { client, redirect }: Way): Markup {
  const sentence = sentences(setting, locale, { client });
  const address = redirect ?? (client && clientAddress(client.metadata, 'client_uri', locale));
  const words = sentence(client === undefined ? 'continue' : 'goOn');
  return address === undefined
    ? html`<p class="faint">${sentence('mayClose')}</p>`
    : html`<p><a class="way" href="${address}" rel="noreferrer">${words}</a></p>`;
}
