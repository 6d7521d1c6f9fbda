import type { Client } from '@vestibule/clients';
import type { ClientPage } from '@vestibule/clients/management';
import { html, type Markup } from '@vestibule/http/pages';
import { nowSeconds } from '@vestibule/protocol';
import { clientPath } from '../../frame/addresses.js';
import { type ConsolePage, consolePage, type PageRoute } from '../../frame/console-route.js';
import { includesRole } from '../../frame/operator.js';
import { dataTable, instantAt, joined, link } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import type { Visit } from '../../frame/visit.js';
import { ClientListQuery, type ClientSearch, formatPosition, parseClientSearch } from './client-search.js';
import { clientSearchForm } from './client-search-form.js';
import { nameOfClient, ORIGIN_WORDS, statusWord } from './client-words.js';
import type { ClientsDeps } from './clients-deps.js';

/** Few enough that a page with the longest names is small. */
const PAGE_SIZE = 25;

const MAX_ID_LENGTH = 120;

/** `/clients`: the clients that match a search, the last registered one first. */
export function clientListPage(deps: ClientsDeps): PageRoute {
  return consolePage({
    path: '/clients',
    query: ClientListQuery,
    notices: { deleted: 'The client was deleted.', rejected: 'The client was rejected.' },
    show: async (visit, query) => {
      const search = parseClientSearch(query);
      if (Object.keys(search.problems).length > 0) return page(visit, search, { status: 400 });
      return page(visit, search, { list: listView(deps, search, await foundClients(deps, search)) });
    },
  });
}

async function foundClients({ registration }: ClientsDeps, search: ClientSearch): Promise<ClientPage> {
  const { clientId, filter, after } = search;
  if (clientId !== undefined) {
    const client = await registration.clients.find(clientId);
    return { clients: client === undefined ? [] : [client] };
  }
  const now = nowSeconds(registration.clock);
  return registration.clients.page({ filter, now, isNewestFirst: true, ...(after && { after }) }, PAGE_SIZE);
}

function page(
  { operator }: Visit,
  search: ClientSearch,
  { status = 200, list }: { readonly status?: number; readonly list?: Markup },
): ConsolePage {
  const links = [
    link('/clients?status=pending', 'Waiting for approval'),
    ...(includesRole(operator.role, 'operator') ? [link('/clients/-/register', 'Register a client')] : []),
    link('/clients/-/blocks', 'Blocks'),
  ];
  return {
    title: 'Clients',
    status,
    content: joined(
      html`<p class="actions">${links}</p>`,
      clientSearchForm(search),
      list && html`<section aria-label="Clients">${list}</section>`,
    ),
  };
}

function listView(
  { registration }: ClientsDeps,
  search: ClientSearch,
  { clients, next }: ClientPage,
): Markup {
  const now = nowSeconds(registration.clock);
  const address = (after?: string) =>
    `/clients?${new URLSearchParams({ ...search.entered, ...(after !== undefined && { after }) })}`;
  const table = dataTable<Client>(
    'The last registered client comes first.',
    [
      {
        title: 'Name',
        cell: (client) => link(clientPath(client.id), nameOfClient(client) ?? 'without name'),
      },
      { title: 'Client ID', cell: ({ id }) => html`<code>${shownText(id, MAX_ID_LENGTH)}</code>` },
      { title: 'Status', cell: (client) => statusWord(client, now) },
      { title: 'Origin', cell: ({ origin }) => ORIGIN_WORDS[origin] },
      { title: 'Issued', cell: ({ issuedAt }) => instantAt(issuedAt) },
      {
        title: 'Last used',
        cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? 'never' : instantAt(lastUsedAt)),
      },
    ],
    clients,
    'There are no such clients.',
  );
  return joined(
    table,
    html`<p class="actions">${[
      ...(search.after === undefined ? [] : [link(address(), 'First page')]),
      ...(next === undefined ? [] : [link(address(formatPosition(next)), 'Next page')]),
    ]}</p>`,
  );
}
