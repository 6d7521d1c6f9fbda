import { html, type Markup, type PageParts, shownName } from '@vestibule/http/pages';
import type { FrontchannelPage, NotifiedClient } from '@vestibule/logout';
import { clientName } from '@vestibule/service';
import { CLIENT_TIMEOUT_MS, NOTIFICATION_SCRIPT } from './notification-script.js';
import type { PageSetting } from './page-setting.js';
import type { LogoutLocale } from './sentences.js';

/** The same in seconds, for the page without script. */
const CLIENT_TIMEOUT_SECONDS = CLIENT_TIMEOUT_MS / 1_000;

/** Parts of {@link notificationPart}. */
export interface NotificationParts {
  readonly clients: readonly NotifiedClient[];
  readonly receipt: string | undefined;
  readonly redirect: string | undefined;
}

/**
 * The part of a page that notifies clients by front channel (OpenID Connect Front-Channel Logout 1.0 section 3), one
 * hidden frame for each, and shows the state of every client, also of those with a back channel or with neither.
 * Without script it says that the clients were asked, which is all that is known then.
 */
export function notificationPart(
  setting: PageSetting,
  locale: LogoutLocale,
  { clients, receipt, redirect }: NotificationParts,
): Pick<PageParts, 'content' | 'frames' | 'script' | 'connectsToOrigin'> & { readonly head: Markup } {
  const { messages } = locale;
  const named = clients.map((client) => ({
    ...client,
    name: shownName(clientName(client.metadata, locale)),
  }));
  const framed = named.flatMap(({ page, name, clientId }) => (page ? [{ page, name, clientId }] : []));
  const queued = named.filter(({ deliveryId }) => deliveryId !== undefined);
  const placeIn = (list: readonly Pick<NotifiedClient, 'clientId'>[], { clientId }: NotifiedClient) => {
    const index = list.findIndex((other) => other.clientId === clientId);
    return index < 0 ? '' : String(index);
  };
  const items = named.map((client) => {
    const state = stateWithoutScript(client);
    return html`<li data-frame="${placeIn(framed, client)}" data-delivery="${placeIn(queued, client)}"><bdi>${client.name}</bdi> <span class="${state}">${state && messages[state]}</span></li>\n`;
  });
  const hasFailed = clients.some((client) => stateWithoutScript(client) === 'failed');
  return {
    head: html`${redirect === undefined ? undefined : refresh(redirect)}${NOTIFICATION_SCRIPT.element}`,
    content: html`<p id="status" role="status" aria-live="polite" data-asking="${messages.asking}" data-asked="${messages.asked}" data-some="${messages.someFailed}" data-all="${messages.allConfirmed}" data-next="${redirect}">${hasFailed ? messages.someFailed : messages.asked}</p>
<ul class="clients" id="clients" data-action="${setting.action}" data-receipt="${receipt}" data-waiting="${messages.waiting}" data-notified="${messages.notified}" data-confirmed="${messages.confirmed}" data-retrying="${messages.retrying}" data-failed="${messages.failed}">
${items}</ul>
<div hidden>
${framed.map(({ page, name }) => frame(setting, page, name))}</div>`,
    frames: framed.map(({ page }) => page.origin),
    script: NOTIFICATION_SCRIPT,
    connectsToOrigin: receipt !== undefined,
  };
}

/** The state of a client before any response; `undefined` for a client that the server notifies. */
function stateWithoutScript({ page, deliveryId }: NotifiedClient): 'notified' | 'failed' | undefined {
  if (page !== undefined) return 'notified';
  return deliveryId === undefined ? 'failed' : undefined;
}

function refresh(address: string): Markup {
  return html`<noscript><meta http-equiv="refresh" content="${CLIENT_TIMEOUT_SECONDS.toString()};url=${address}"></noscript>`;
}

/**
 * A page of another origin needs that origin to end its session. A page of our own origin could remove its sandbox with
 * it.
 */
function frame({ origin }: PageSetting, page: FrontchannelPage, name: string): Markup {
  const isOurs = page.origin === origin;
  const permissions = isOurs ? 'allow-scripts' : 'allow-scripts allow-same-origin';
  // A frame without an origin sends messages from the origin `null`.
  const sender = isOurs ? 'null' : page.origin;
  return html`<iframe title="${name}" src="${page.address}" data-origin="${sender}" sandbox="${permissions}" referrerpolicy="no-referrer" tabindex="-1"></iframe>\n`;
}
