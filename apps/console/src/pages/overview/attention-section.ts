import type { Client } from '@vestibule/clients';
import { keyRecord } from '@vestibule/crypto/key-rings';
import type { EndingToken } from '@vestibule/database/activity-records';
import { html, type Markup, shownName } from '@vestibule/http/pages';
import type { FiringAlert } from '../../figures/figures.js';
import { clientPath } from '../../frame/addresses.js';
import { dataTable, instantAt, joined, link, section, stateWord } from '../../frame/parts.js';
import { boundedText } from '../../live/live-figures.js';
import { type Attention, type KeyToLookAt, SHOWN } from './attention.js';

/** One thing that needs a person. */
interface Item {
  readonly tone: 'bad' | 'waiting';
  readonly word: string;
  readonly what: Markup;
  /** Where it can be dealt with; absent for alerts, which say what to do themselves. */
  readonly place?: Markup;
}

/** Renders what needs a person, each thing with a link. */
export function attentionSection(attention: Attention): Markup {
  const items = itemsOf(attention);
  return section(
    'Needs attention',
    joined(
      dataTable(
        'What an operator should look at',
        [
          { title: 'Urgency', cell: ({ word, tone }: Item) => stateWord(word, tone) },
          { title: 'What', cell: ({ what }: Item) => what },
          { title: 'Where', cell: ({ place }: Item) => place ?? '' },
        ],
        items,
        'Nothing needs attention.',
      ),
      alertsHint(attention),
    ),
  );
}

function itemsOf({ waiting, pending, endingTokens, keys, alerts }: Attention): readonly Item[] {
  const { pendingClients, deadDeliveries, withdrawnDocuments } = waiting;
  return [
    ...(alerts !== undefined && 'value' in alerts ? alerts.value.map(alertItem) : []),
    ...(pendingClients.count === 0
      ? []
      : [
          attend(
            html`Clients that wait for approval: ${boundedText(pendingClients)}. The first: ${listed(pending.map(clientLink))}`,
            link('/clients?status=pending', 'Clients'),
          ),
        ]),
    ...(deadDeliveries.count === 0
      ? []
      : [
          attend(
            html`Logout notifications that were given up: ${boundedText(deadDeliveries)}. These clients were not told that a session ended.`,
            link('/end-users/deliveries?state=dead', 'Notifications'),
          ),
        ]),
    ...(endingTokens.length === 0
      ? []
      : [attend(tokensText(endingTokens), link('/initial-tokens', 'Initial tokens'))]),
    ...keys.map((key) => attend(keyText(key), link('/keys', 'Keys'))),
    ...(withdrawnDocuments.count === 0
      ? []
      : [
          attend(
            html`Client ID metadata documents that their hosts have withdrawn: ${boundedText(withdrawnDocuments)}`,
            link('/clients?origin=metadata_document', 'Clients'),
          ),
        ]),
  ];
}

function attend(what: Markup, place: Markup): Item {
  return { tone: 'waiting', word: 'Attention', what, place };
}

function alertItem({ name, severity, summary }: FiringAlert): Item {
  const isCritical = severity === 'critical';
  return {
    tone: isCritical ? 'bad' : 'waiting',
    word: isCritical ? 'Critical alert' : 'Alert',
    what: html`<code>${name}</code>: <bdi>${summary}</bdi>`,
  };
}

function clientLink({ id, metadata }: Client): Markup {
  const { client_name: name } = metadata;
  return html`<a href="${clientPath(id)}"><bdi>${shownName(typeof name === 'string' ? name : id)}</bdi></a>`;
}

function tokensText(tokens: readonly EndingToken[]): Markup {
  const shown = tokens.slice(0, SHOWN).map(({ label, expiresAt, usesLeft }) => {
    const name = label === undefined ? 'without label' : shownName(label);
    return html`<bdi>${name}</bdi> (uses left: ${String(usesLeft)}, until ${instantAt(expiresAt)})`;
  });
  const more = tokens.length > SHOWN ? html` and more` : undefined;
  return html`Initial access tokens that end within a week: ${listed(shown)}${more}`;
}

function keyText({ key, occasion }: KeyToLookAt): Markup {
  const { kid, algorithm, createdAt, activatedAt, expiresAt } = key;
  // A key set has several rings: the encryption keys are in that of the provider.
  const { ring } = keyRecord({ kind: 'signing', key });
  const name = html`<code>${kid}</code> (ring ${ring}, ${algorithm})`;
  if (occasion === 'ends') return html`Key ${name} is removed at ${instantAt(expiresAt ?? createdAt)}`;
  if (occasion === 'old')
    return html`Key ${name} has been in use since ${instantAt(activatedAt ?? createdAt)}: rotate it`;
  return html`Key ${name} has been pending since ${instantAt(createdAt)}: activate or retire it`;
}

function alertsHint({ alerts }: Attention): Markup | undefined {
  if (alerts === undefined)
    return html`<p class="hint">Alerts are shown here if CONSOLE_PROMETHEUS_URL names a Prometheus server that evaluates the rules of Vestibule.</p>`;
  return 'problem' in alerts ? html`<p class="alert">Alerts: ${alerts.problem}</p>` : undefined;
}

function listed(parts: readonly Markup[]): readonly Markup[] {
  return parts.map((part, index) => (index === 0 ? part : html`, ${part}`));
}
