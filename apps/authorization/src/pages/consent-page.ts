import { html, type Markup, policySource, type RenderedPage, shownName } from '@vestibule/http/pages';
import { LOOPBACK_HOSTS } from '@vestibule/metadata/uris';
import { clientAddress, clientName, registeredName } from '@vestibule/service';
import type { InteractionResource, PendingInteraction } from '../interaction/interaction-host.js';
import type { Messages } from './languages/messages.js';
import { type PageLocale, page, sentences } from './page.js';

/**
 * The consent page.
 * @param note what stands above everything else
 */
export function consentPage(locale: PageLocale, pending: PendingInteraction, note?: Markup): RenderedPage {
  const { client, scopes, claims, resources } = pending;
  const sentence = sentencesFor(locale, pending);
  const ofResources = resources.flatMap((resource) => resource.scopes);
  const items = [
    ...scopes.filter((value) => !ofResources.includes(value)).map((value) => describeScope(sentence, value)),
    ...claims.map((name) => html`<li><span class="code">${name}</span></li>`),
    ...resources.map((resource) => describeResource(locale, resource)),
  ];
  return page(locale, {
    title: sentence('consentTitle'),
    content: html`${note}
<p class="account">${sentence('loggedInAs')}</p>
${documentHost(sentence, pending)}
${loopbackWarning(sentence, pending)}
${items.length === 0 ? html`<p>${sentence('confirmAgain')}</p>` : html`<p>${sentence('consent')}</p>\n<ul>${items}</ul>`}
${links(locale, pending)}
${client.redirectUri === undefined ? undefined : html`<p>${sentence('destination')}</p>`}
<form method="post">
<div class="actions">
<button name="decision" value="consent">${sentence('allow')}</button>
<button class="other" name="decision" value="refuse">${sentence('refuse')}</button>
</div>
</form>`,
    formTarget: policySource(client.redirectUri),
  });
}

type Sentences = (name: keyof Messages) => string;

/**
 * The host of the document of a client, whole: a name could begin like that of another website and be cut where it does
 * not.
 */
export function documentHost(sentence: Sentences, { client }: PendingInteraction): Markup | undefined {
  return client.documentHost === undefined
    ? undefined
    : html`<p>${sentence('documentHost')}<br><span class="code" dir="ltr">${client.documentHost}</span></p>`;
}

/** Any program on the device can receive a response there, whichever document it names. */
function loopbackWarning(
  sentence: Sentences,
  { client: { documentHost: host, redirectUri } }: PendingInteraction,
): Markup | undefined {
  const isLocal = redirectUri !== undefined && LOOPBACK_HOSTS.has(new URL(redirectUri).hostname);
  return host !== undefined && isLocal
    ? html`<p class="alert" role="note">${sentence('loopbackWarning')}</p>`
    : undefined;
}

/** The sentences about an interaction. Anyone can register any name, so the page also shows the site that the browser goes to, which is registered. */
export function sentencesFor(locale: PageLocale, { client, accountId }: PendingInteraction): Sentences {
  return sentences(locale, {
    client: clientName(client.metadata, locale),
    account: accountId,
    site: policySource(client.redirectUri),
  });
}

const SCOPES: Readonly<Record<string, keyof Messages>> = {
  openid: 'scopeOpenid',
  profile: 'scopeProfile',
  email: 'scopeEmail',
  address: 'scopeAddress',
  phone: 'scopePhone',
  offline_access: 'scopeOffline',
};

function describeScope(sentence: Sentences, value: string): Markup {
  const known = Object.hasOwn(SCOPES, value) ? SCOPES[value] : undefined;
  return known === undefined
    ? html`<li><span class="code">${value}</span></li>`
    : html`<li>${sentence(known)}</li>`;
}

/** A resource server by its name and its address, which it cannot choose as freely, with its scope values. */
function describeResource(locale: PageLocale, { identifier, metadata, scopes }: InteractionResource): Markup {
  const address = shownAddress(identifier);
  const name = registeredName(metadata, locale);
  const sentence = sentences(locale, { resource: name ?? address });
  const beside =
    name === undefined ? undefined : html` <span class="code" dir="ltr">${shownName(address)}</span>`;
  const values = scopes.map((value) => html`<li><span class="code">${value}</span></li>`);
  return html`<li>${sentence('accessResource')}${beside}
<ul>${values}</ul></li>`;
}

/** The host and the path of an http(s) resource; others as they are. */
function shownAddress(identifier: string): string {
  if (!/^https?:/i.test(identifier) || !URL.canParse(identifier)) return identifier;
  const { host, pathname, search } = new URL(identifier);
  return host + pathname.replace(/\/$/, '') + search;
}

function links(locale: PageLocale, { client }: PendingInteraction): Markup | undefined {
  const sentence = sentences(locale);
  const shown = (['policy_uri', 'tos_uri'] as const).flatMap((member) => {
    const address = clientAddress(client.metadata, member, locale);
    const words = sentence(member === 'policy_uri' ? 'privacyPolicy' : 'terms');
    return address === undefined ? [] : [html`<li><a href="${address}" rel="noreferrer">${words}</a></li>`];
  });
  return shown.length === 0 ? undefined : html`<ul>${shown}</ul>`;
}
