import type { ClientBlock } from '@vestibule/clients/blocks';
import { html } from '@vestibule/http/pages';
import { Type } from 'typebox';
import { consolePage, type PageRoute } from '../../frame/console-route.js';
import { dataTable, instantAt, joined } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';
import type { ClientsDeps } from './clients-deps.js';

const KINDS = { host: 'host', redirect_uri: 'redirect URI', software_id: 'software ID' } as const;

/** More than operators set by hand. */
const MAX_SHOWN = 200;
const MAX_TEXT_LENGTH = 200;

/** `/clients/-/blocks`: what is blocked. Blocks are set at the command line, since they delete clients. */
export function blocksPage({ store }: ClientsDeps): PageRoute {
  return consolePage({
    path: '/clients/-/blocks',
    query: Type.Object({}),
    show: async () => {
      const blocks = await store.database.clientBlocks.list();
      return {
        title: 'Blocks',
        content: joined(
          html`<p>No client with one of these names is registered. Blocks are set and lifted at the command line: <code>vestibule clients block</code>, <code>vestibule clients unblock</code>.</p>`,
          dataTable<ClientBlock>(
            blocks.length > MAX_SHOWN ? `The first ${MAX_SHOWN} of ${blocks.length} blocks.` : 'Every block.',
            [
              { title: 'Kind', cell: ({ kind }) => KINDS[kind] },
              { title: 'Value', cell: ({ value }) => shownText(value, MAX_TEXT_LENGTH) },
              { title: 'Since', cell: ({ blockedAt }) => instantAt(blockedAt) },
              {
                title: 'Clients',
                cell: ({ endedAt }) =>
                  endedAt === undefined ? 'being deleted' : html`deleted ${instantAt(endedAt)}`,
              },
              { title: 'Reason', cell: ({ reason }) => reason && shownText(reason, MAX_TEXT_LENGTH) },
            ],
            blocks.slice(0, MAX_SHOWN),
            'Nothing is blocked.',
          ),
        ),
      };
    },
  });
}
