import { type Locale, sentencesOf } from '@vestibule/http/pages';
import type { LogoutCase } from '@vestibule/logout';
import { clientName } from '@vestibule/service';
import type { Messages } from '../languages/messages.js';
import type { PageSetting } from './page-setting.js';

/** The language of one logout page. */
export type LogoutLocale = Locale<Messages>;

/** The sentences of a page, with the names of the provider, the requesting client and the account filled in. */
export function sentences(
  { provider }: PageSetting,
  locale: LogoutLocale,
  { client, account }: { readonly client?: LogoutCase['client']; readonly account?: string | undefined } = {},
): (name: keyof Messages) => string {
  return sentencesOf(locale, { provider, client: clientName(client?.metadata ?? {}, locale), account });
}
