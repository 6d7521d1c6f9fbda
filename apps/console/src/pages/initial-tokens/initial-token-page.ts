import type { Client } from '@vestibule/clients';
import type { InitialTokenUse, ListedInitialToken } from '@vestibule/database';
import type { AuditRecord } from '@vestibule/database/audit';
import { html, type Markup } from '@vestibule/http/pages';
import { nowSeconds, parseClientId } from '@vestibule/protocol';
import { Type } from 'typebox';
import { clientPath } from '../../frame/addresses.js';
import { type ConsolePage, consolePage, type PageRoute } from '../../frame/console-route.js';
import { includesRole } from '../../frame/operator.js';
import { dataTable, instantAt, joined, link, section, valueList } from '../../frame/parts.js';
import type { Visit } from '../../frame/visit.js';
import { historyTable } from '../audit/event-table.js';
import { latestEvents } from '../audit/latest-events.js';
import { nameOfClient, statusWord } from '../clients/client-words.js';
import { membersTable } from '../clients/metadata-section.js';
import { roleForScope } from './elevated-rights.js';
import { findInitialToken, noSuchToken } from './find-initial-token.js';
import { initialTokenPath, initialTokenState } from './initial-token-words.js';
import type { InitialTokensDeps } from './initial-tokens-deps.js';

const USES_OF_PAGE = 25;
const SHOWN_EVENTS = 10;

const SHORT_ID = /^[0-9a-f]{8}$/;

/** `/initial-tokens/:id`: a token, and what came of it. */
export function initialTokenPage(deps: InitialTokensDeps): PageRoute {
  return consolePage({
    path: '/initial-tokens/:id',
    query: Type.Object({ after: Type.Optional(Type.String()) }),
    show: async (visit, { after }) => {
      const shortId = visit.param('id');
      if (!SHORT_ID.test(shortId)) throw noSuchToken();
      const [token, { events }] = await Promise.all([
        findInitialToken(deps, shortId),
        latestEvents(deps.store, `initial_access_token:${shortId}`, { limit: SHOWN_EVENTS }),
      ]);
      if (token !== undefined) return tokenPage(deps, visit, { token, events, after });
      if (events.length > 0) return endedTokenPage(shortId, events);
      throw noSuchToken();
    },
  });
}

async function tokenPage(
  deps: InitialTokensDeps,
  visit: Visit,
  shown: {
    readonly token: ListedInitialToken;
    readonly events: readonly AuditRecord[];
    readonly after: string | undefined;
  },
): Promise<ConsolePage> {
  const { token, events, after } = shown;
  const { shortId, scope, label, metadataTemplate } = token;
  const now = nowSeconds(deps.registration.clock);
  return {
    title: `Initial access token ${shortId}`,
    content: joined(
      section(
        'State',
        valueList({
          State: initialTokenState(token, now),
          Label: label,
          Rights: html`<code>${scope}</code>`,
          Used: token.uses,
          'Uses left': token.usesLeft,
          Issued: instantAt(token.issuedAt),
          Expires: instantAt(token.expiresAt),
        }),
      ),
      metadataTemplate &&
        section(
          'Template',
          membersTable(
            'What every registration with it starts from.',
            Object.entries(metadataTemplate),
            'None.',
          ),
        ),
      section('Registered with it', await usesView(deps, token, after)),
      section('History', historyTable(events)),
      includesRole(visit.operator.role, roleForScope(scope))
        ? html`<p class="actions"><a class="button" href="${initialTokenPath(shortId)}/revoke">Revoke</a></p>`
        : undefined,
    ),
  };
}

function endedTokenPage(shortId: string, events: readonly AuditRecord[]): ConsolePage {
  return {
    title: `Initial access token ${shortId}`,
    content: joined(
      html`<p>It was revoked, or has expired: what is left is its history.</p>`,
      section('History', historyTable(events)),
    ),
  };
}

interface ShownUse extends InitialTokenUse {
  readonly client: Client | undefined;
}

const POSITION = /^\d{1,18}$/;

async function usesView(
  { store, registration }: InitialTokensDeps,
  { digest, shortId }: ListedInitialToken,
  after: string | undefined,
): Promise<Markup> {
  const isLater = after !== undefined && POSITION.test(after);
  const { uses, next } = await store.database.listedInitialTokens.pageOfUses(digest, {
    limit: USES_OF_PAGE,
    ...(isLater && { after: BigInt(after) }),
  });
  const now = nowSeconds(registration.clock);
  // The repository finds them in one statement.
  const shown = await Promise.all(
    uses.map(async (use): Promise<ShownUse> => {
      const id = parseClientId(use.clientId);
      return { ...use, client: id && (await registration.clients.find(id)) };
    }),
  );
  const path = initialTokenPath(shortId);
  return joined(
    dataTable<ShownUse>(
      'The first registration comes first.',
      [
        { title: 'Time', cell: ({ usedAt }) => instantAt(usedAt) },
        {
          title: 'Client',
          cell: ({ clientId, client }) =>
            link(clientPath(clientId, client ? undefined : 'history'), clientId),
        },
        { title: 'Name', cell: ({ client }) => client && nameOfClient(client) },
        { title: 'Status', cell: ({ client }) => (client ? statusWord(client, now) : 'deleted') },
      ],
      shown,
      'No client was registered with it.',
    ),
    html`<p class="actions">${[
      ...(isLater ? [link(path, 'First page')] : []),
      ...(next === undefined ? [] : [link(`${path}?after=${next}`, 'Next page')]),
    ]}</p>`,
  );
}
