import type { Client } from '@vestibule/clients';
import { isClientExpired } from '@vestibule/clients/management';
import { html, type Markup } from '@vestibule/http/pages';
import { nowSeconds } from '@vestibule/protocol';
import { Type } from 'typebox';
import { clientPath } from '../../frame/addresses.js';
import { type ConsolePage, consolePage, type PageRoute } from '../../frame/console-route.js';
import { joined, link, section } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { historyTable } from '../audit/event-table.js';
import { latestEvents } from '../audit/latest-events.js';
import { clientActions } from './client-actions.js';
import { clientState } from './client-state.js';
import { titleOfClient } from './client-words.js';
import type { ClientsDeps } from './clients-deps.js';
import { documentSection } from './document-section.js';
import { findClient } from './find-client.js';
import { loginClientNote } from './login-client.js';
import { dataSection, metadataSection } from './metadata-section.js';

/** How many of the last changes the page of a client shows. */
const SHOWN_EVENTS = 10;

/** `/clients/:id`: everything about a client except its credentials. */
export function clientPage(deps: ClientsDeps): PageRoute {
  return consolePage({
    path: '/clients/:id',
    query: Type.Object({}),
    notices: {
      approved: 'The client was approved.',
      suspended: 'The client was suspended. Its tokens are inactive until it is resumed.',
      resumed: 'The client was resumed.',
      saved: 'The metadata were saved.',
      revoked: 'Every token and authorization of the client was revoked.',
    },
    show: async (visit) => showClient(deps, visit, { client: await findClient(deps, visit) }),
  });
}

/** What the page of a client shows. */
export interface ShownClient {
  readonly client: Client;
  /** Why an action was not carried out. */
  readonly alert?: string;
  /** Default 200. */
  readonly status?: number;
}

/** Renders the page of a client. */
export async function showClient(
  deps: ClientsDeps,
  visit: Visit,
  { client, alert, status = 200 }: ShownClient,
): Promise<ConsolePage> {
  const { registration, store } = deps;
  const now = nowSeconds(registration.clock);
  const { events } = await latestEvents(store, `client:${client.id}`, { limit: SHOWN_EVENTS });
  return {
    title: titleOfClient(client),
    status,
    content: joined(
      alert === undefined ? undefined : html`<p class="alert" role="alert">${alert}</p>`,
      loginClientNote(deps, client),
      ownershipNote(client),
      section('State', clientState(client, now)),
      isClientExpired(client, now) ? undefined : clientActions(deps, visit, client),
      await documentSection(store, client),
      metadataSection(client, registration.supported),
      dataSection(client),
      section(
        'History',
        joined(historyTable(events), html`<p>${link(clientPath(client.id, 'history'), 'Whole history')}</p>`),
      ),
    ),
  };
}

function ownershipNote({ ownership, origin, federation }: Client): Markup | undefined {
  if (ownership !== undefined)
    return html`<p>The files <code>${ownership.owner}</code> own this client: the next time that they are applied, they replace what is changed here.</p>`;
  if (origin === 'metadata_document')
    return html`<p>A metadata document registered this client: the next time that it is read, it replaces what is changed here.</p>`;
  if (federation !== undefined)
    return html`<p>A federation entity registered this client: its next registration replaces what is changed here.</p>`;
  return undefined;
}
