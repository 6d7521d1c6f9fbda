import type { Client } from '@vestibule/clients';
import { type DocumentEvent, parseDocumentUrl } from '@vestibule/clients/metadata-documents';
import type { Store } from '@vestibule/database';
import { html, type Markup } from '@vestibule/http/pages';
import { dataTable, instantAt, joined, section, valueList } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';

/** Renders what is stored about the metadata document of a client, if one registered it. Nothing is fetched. */
export async function documentSection({ database }: Store, client: Client): Promise<Markup | undefined> {
  if (client.origin !== 'metadata_document' || !URL.canParse(client.id)) return undefined;
  // The host was allowed when the document was registered.
  const url = parseDocumentUrl(client.id, [new URL(client.id).host]);
  const record = url && (await database.clientDocuments.find(url)).record;
  if (record === undefined) return undefined;
  const { validatedAt, freshUntil, withdrawnAt, problem, digest, history } = record;
  return section(
    'Metadata document',
    joined(
      valueList({
        Accepted: validatedAt === undefined ? 'never' : instantAt(validatedAt),
        'Counts until': freshUntil && instantAt(freshUntil),
        'Missing since': withdrawnAt && instantAt(withdrawnAt),
        Refused: problem && html`${instantAt(problem.at)}, tried again after ${instantAt(problem.retryAt)}`,
        Reason: problem && `${problem.reason}: ${problem.detail}`,
        'SHA-256': digest && html`<code>${shownText(digest)}</code>`,
      }),
      dataTable<DocumentEvent>(
        'Changes of the document, the oldest first.',
        [
          { title: 'Time', cell: ({ at }) => instantAt(at) },
          { title: 'Event', cell: ({ event }) => event },
          { title: 'Detail', cell: ({ detail }) => detail },
        ],
        history,
        'There are no changes.',
      ),
    ),
  );
}
