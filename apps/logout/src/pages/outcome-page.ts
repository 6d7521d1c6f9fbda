import type { FrontchannelPlan, LogoutCase } from '@vestibule/logout';
import { html } from '@vestibule/service-kit/pages';
import type { Locale } from '../languages/choose-locale.js';
import type { Messages } from '../languages/messages.js';
import { clientName } from './client-name.js';
import { frontchannelPart } from './frontchannel-part.js';
import type { PageSetting } from './page-setting.js';
import { noticesOf } from './question-page.js';
import { type RenderedPage, render, sentences } from './render.js';
import { wayOn } from './way-on.js';

/** How a logout ended. */
export interface PageOutcome extends Partial<FrontchannelPlan> {
  readonly kind: 'ended' | 'left' | 'kept' | 'gone';
}

/** The page that says how it ended, tells clients where there are some to be told, and leads on. */
export function outcomePage(
  setting: PageSetting,
  locale: Locale,
  judged: LogoutCase,
  { kind, targets = [], unreached = [] }: PageOutcome,
): RenderedPage {
  const { client, redirect } = judged;
  const sentence = sentences(setting, locale, clientName(client?.metadata ?? {}, locale));
  const { title, text } = SENTENCES[kind];
  const notices = noticesOf(judged).map(
    (notice) => html`<p class="notice" role="alert">${sentence(notice)}</p>`,
  );
  const way = wayOn(setting, locale, { client, redirect });
  const hasClients = targets.length + unreached.length > 0;
  const telling = hasClients
    ? frontchannelPart(setting, locale, { targets, unreached, redirect })
    : undefined;
  return render(setting, locale, {
    ...telling,
    title: sentence(title),
    content: html`${notices}<p>${sentence(text)}</p>
${telling?.content}
${way}`,
  });
}

const SENTENCES: Readonly<
  Record<PageOutcome['kind'], { readonly title: keyof Messages; readonly text: keyof Messages }>
> = {
  ended: { title: 'endedTitle', text: 'ended' },
  left: { title: 'leftTitle', text: 'left' },
  kept: { title: 'keptTitle', text: 'kept' },
  gone: { title: 'nobodyTitle', text: 'nobody' },
};
