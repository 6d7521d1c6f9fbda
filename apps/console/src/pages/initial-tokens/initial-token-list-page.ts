import type { ListedTokenPosition, ListedTokenState } from '@vestibule/database';
import { html } from '@vestibule/http/pages';
import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import { Type } from 'typebox';
import { consolePage, type PageRoute } from '../../frame/console-route.js';
import { includesRole } from '../../frame/operator.js';
import { dataTable, instantAt, joined, link } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import { initialTokenPath, initialTokenState } from './initial-token-words.js';
import type { InitialTokensDeps } from './initial-tokens-deps.js';

const PAGE_SIZE = 25;
const MAX_TEXT_LENGTH = 120;

/** `/initial-tokens`: the tokens, the last issued one first. */
export function initialTokenListPage({ store, registration }: InitialTokensDeps): PageRoute {
  return consolePage({
    path: '/initial-tokens',
    query: Type.Object({ after: Type.Optional(Type.String()) }),
    notices: { revoked: 'The token was revoked. Clients that were registered with it stay.' },
    show: async ({ operator }, query) => {
      const after = parsePosition(query.after);
      const { tokens, next } = await store.database.listedInitialTokens.page({
        limit: PAGE_SIZE,
        ...(after && { after }),
      });
      const now = nowSeconds(registration.clock);
      return {
        title: 'Initial access tokens',
        content: joined(
          html`<p>Each permits a number of registrations. The tokens themselves are not stored: they are named as in audit events.</p>`,
          includesRole(operator.role, 'operator')
            ? html`<p>${link('/initial-tokens/issue', 'Issue an initial access token')}</p>`
            : undefined,
          dataTable<ListedTokenState>(
            'The last issued token comes first.',
            [
              { title: 'Token', cell: ({ shortId }) => link(initialTokenPath(shortId), shortId) },
              { title: 'Label', cell: ({ label }) => label && shownText(label, MAX_TEXT_LENGTH) },
              { title: 'State', cell: (token) => initialTokenState(token, now) },
              {
                title: 'Rights',
                cell: ({ scope }) => html`<code>${shownText(scope, MAX_TEXT_LENGTH)}</code>`,
              },
              { title: 'Uses left', cell: ({ usesLeft }) => usesLeft, isNumber: true },
              { title: 'Issued', cell: ({ issuedAt }) => instantAt(issuedAt) },
              { title: 'Expires', cell: ({ expiresAt }) => instantAt(expiresAt) },
            ],
            tokens,
            'There are no initial access tokens.',
          ),
          html`<p class="actions">${[
            ...(after === undefined ? [] : [link('/initial-tokens', 'First page')]),
            ...(next === undefined
              ? []
              : [link(`/initial-tokens?after=${formatPosition(next)}`, 'Next page')]),
          ]}</p>`,
        ),
      };
    },
  });
}

function formatPosition({ issuedAt, shortId }: ListedTokenPosition): string {
  return `${issuedAt}.${shortId}`;
}

const POSITION = /^(\d{1,11})\.([0-9a-f]{8})$/;

/** Positions are not entered by hand: one that cannot be read is the beginning. */
function parsePosition(given = ''): ListedTokenPosition | undefined {
  const [, issuedAt, shortId] = POSITION.exec(given) ?? [];
  return shortId === undefined ? undefined : { issuedAt: epochSeconds(Number(issuedAt)), shortId };
}
