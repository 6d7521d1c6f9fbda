import { html, type Markup } from '@vestibule/http/pages';
import type { DeliverySelection } from '@vestibule/logout/delivery';
import { parseClientId } from '@vestibule/protocol';
import { type Static, Type } from 'typebox';
import { addressWith } from '../../frame/addresses.js';
import type { FormErrors } from '../../frame/confirmed-action.js';
import { type ConsolePage, type ConsoleRoute, consolePage } from '../../frame/console-route.js';
import { selectField, textField } from '../../frame/forms.js';
import { joined, section } from '../../frame/parts.js';
import { listNavigation, searchForm } from '../../frame/search-form.js';
import { deliveryTable } from './delivery-table.js';
import { DELIVERY_STATES } from './delivery-words.js';
import { DELIVERIES_PATH } from './end-users-addresses.js';
import type { EndUsersPagesDeps } from './end-users-deps.js';
import { NOTICES } from './notices.js';

const PAGE = 25;

/** The filters of the list. */
export const DELIVERY_FILTERS = {
  state: Type.Optional(Type.String()),
  client_id: Type.Optional(Type.String()),
  subject: Type.Optional(Type.String()),
  session: Type.Optional(Type.String()),
};

const Query = Type.Object({ ...DELIVERY_FILTERS, older: Type.Optional(Type.String()) });

type Query = Static<typeof Query>;

/** The list of back-channel logout notifications. */
export function deliveriesPage({ store }: EndUsersPagesDeps): ConsoleRoute {
  const { logoutDeliveries } = store.database;
  return consolePage({
    path: DELIVERIES_PATH,
    query: Query,
    notices: NOTICES,
    show: async (visit, query): Promise<ConsolePage> => {
      const read = readQuery(query);
      if ('errors' in read)
        return { title: 'Notifications', status: 400, content: filterForm(query, read.errors) };
      const records = await logoutDeliveries.list({ ...read.selection, limit: PAGE + 1 });
      const shown = records.slice(0, PAGE);
      const { older: _, ...filters } = query;
      const last = records.length > PAGE ? shown.at(-1) : undefined;
      return {
        title: 'Notifications',
        content: joined(
          filterForm(query),
          section(
            'Back-channel logout notifications',
            joined(
              deliveryTable(visit, shown, { page: 'deliveries', filters }),
              listNavigation({ older: last && addressWith(DELIVERIES_PATH, { ...filters, older: last.id }) }),
            ),
          ),
        ),
      };
    },
  });
}

type Reading = { readonly selection: Omit<DeliverySelection, 'limit'> } | { readonly errors: FormErrors };

const ID = /^\d{1,18}$/;

function readQuery({ state: given, client_id: client, subject, session, older }: Query): Reading {
  const state = DELIVERY_STATES.find((name) => name === given);
  const clientId = parseClientId(client);
  const errors = {
    ...(given !== undefined && state === undefined && { state: 'There is no such state.' }),
    ...(client !== undefined && clientId === undefined && { client_id: 'It is not a client identifier.' }),
    ...(older !== undefined && !ID.test(older) && { general: 'The address is not one of this list.' }),
  };
  if (Object.keys(errors).length > 0) return { errors };
  return {
    selection: {
      ...(state !== undefined && { state }),
      ...(clientId !== undefined && { clientId }),
      ...(subject !== undefined && { subject }),
      ...(session !== undefined && { session }),
      ...(older !== undefined && { before: older }),
    },
  };
}

function filterForm(query: Query, errors: FormErrors = {}): Markup {
  const { general } = errors;
  return section(
    'Filters',
    joined(
      general === undefined ? undefined : html`<p class="alert" role="alert">${general}</p>`,
      searchForm({
        action: DELIVERIES_PATH,
        content: joined(
          selectField({
            name: 'state',
            label: 'State',
            value: query.state,
            options: [['', 'any'], ...DELIVERY_STATES.map((state) => [state, state] as const)],
            error: errors['state'],
          }),
          textField({
            name: 'client_id',
            label: 'Client identifier',
            value: query.client_id,
            error: errors['client_id'],
          }),
          textField({ name: 'subject', label: 'Subject of the end-user', value: query.subject }),
          textField({ name: 'session', label: 'Session or sid', value: query.session }),
        ),
        button: 'Show',
      }),
    ),
  );
}
