import type { Client } from '@vestibule/clients';
import { html, type Markup } from '@vestibule/service-kit/pages';
import type { Locale } from '../languages/choose-locale.js';
import { clientName } from './client-name.js';
import type { PageSetting } from './page-setting.js';
import { sentences } from './render.js';

/** Where an end-user can go on to: what the request asked for, or the home that the client registered. */
export interface Way {
  readonly client: Client | undefined;
  readonly redirect: string | undefined;
}

/** The way on: a link where there is somewhere to go, else that the window can be closed. */
export function wayOn(setting: PageSetting, locale: Locale, { client, redirect }: Way): Markup {
  const name = client && clientName(client.metadata, locale);
  const sentence = sentences(setting, locale, name);
  const address = redirect ?? homeOf(client);
  const words = sentence(name === undefined ? 'continue' : 'goOn');
  return address === undefined
    ? html`<p class="faint">${sentence('mayClose')}</p>`
    : html`<p><a class="way" href="${address}" rel="noreferrer">${words}</a></p>`;
}

function homeOf(client: Client | undefined): string | undefined {
  const uri = client?.metadata['client_uri'];
  if (typeof uri !== 'string' || !URL.canParse(uri)) return undefined;
  const { protocol, href } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
