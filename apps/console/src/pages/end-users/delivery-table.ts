import { hiddenFields, html, type Markup } from '@vestibule/http/pages';
import type { DeliveryRecord } from '@vestibule/logout/delivery';
import { deliveryResponse } from '@vestibule/logout-service/delivery-response';
import type { AddressParameters } from '../../frame/addresses.js';
import { clientPath } from '../../frame/addresses.js';
import { FORM_TOKEN } from '../../frame/forms.js';
import { includesRole } from '../../frame/operator.js';
import { type Cell, type Column, dataTable, instantAt, link, stateWord } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import type { Visit } from '../../frame/visit.js';
import { lastAttempt } from './delivery-words.js';
import { DELIVERIES_PATH } from './end-users-addresses.js';

/** What the table shows, to come back to it. */
export interface DeliverySelection {
  /** The filters of the page. */
  readonly filters: AddressParameters;
  /** The page that has the table. */
  readonly page: 'deliveries' | 'end-user' | 'session';
}

const TONES = { pending: 'waiting', delivered: 'good', dead: 'bad' } as const;

/** Renders notifications, each with a button that delivers it again. */
export function deliveryTable(
  visit: Visit,
  records: readonly DeliveryRecord[],
  { filters, page }: DeliverySelection,
): Markup {
  const isOperator = includesRole(visit.operator.role, 'operator');
  const table = dataTable(
    'Notifications, the latest first',
    isOperator ? [...COLUMNS, AGAIN] : COLUMNS,
    records,
    'There are no such notifications.',
  );
  if (!isOperator) return table;
  // One form, because each would repeat the filters.
  return html`<form method="post" action="${DELIVERIES_PATH}/redeliver">
${hiddenFields({ [FORM_TOKEN]: visit.formToken, page, ...filters })}${table}
</form>`;
}

const COLUMNS: readonly Column<DeliveryRecord>[] = [
  { title: 'Session ended', cell: ({ createdAt }) => instantAt(createdAt) },
  {
    title: 'Application',
    cell: ({ clientId }) => link(clientPath(clientId), shownText(clientId, 100)),
  },
  { title: 'State', cell: ({ state }) => stateWord(state, TONES[state]) },
  { title: 'Last attempt', cell: (record) => shownText(lastAttempt(record) ?? '') },
  { title: 'Attempts', cell: ({ attempts }) => attempts, isNumber: true },
  { title: 'Next or last time', cell: timeOf },
  { title: 'Address', cell: (record) => html`<code>${shownText(deliveryResponse(record).uri, 120)}</code>` },
];

const AGAIN: Column<DeliveryRecord> = {
  title: 'Action',
  cell: ({ id, state }) =>
    state === 'pending'
      ? undefined
      : html`<button class="other" name="delivery" value="${id}" aria-label="Deliver again: notification ${id}">Deliver again</button>`,
};

function timeOf({ nextAttemptAt, finishedAt }: DeliveryRecord): Cell {
  if (nextAttemptAt !== undefined) return html`next ${instantAt(nextAttemptAt)}`;
  return finishedAt && instantAt(finishedAt);
}
