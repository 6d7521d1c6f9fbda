import type { ClientId } from '@vestibule/protocol';
import { buildTestApp } from './build-test-app.js';
import { documentSettings, startDocumentHost } from './document-host.js';

/** The network of the requests. */
export const NETWORK = '192.0.2.0/24';

/** An authorization server that takes the documents of a host. */
export async function createDocumentFixture(settings: Readonly<Record<string, string>> = {}, isLive = false) {
  const host = await startDocumentHost();
  const here = await buildTestApp({ ...documentSettings(host.host), ...settings }, false, isLive);
  const { documents } = here.deps;
  if (documents === undefined) throw new TypeError('client ID metadata documents are off');
  return {
    ...here,
    host,
    /** Looks a client up as a request does. */
    find: (url: string, network = NETWORK) => documents.find(url as ClientId, network),
    /** The stored client. */
    stored: (url: string) => here.store.database.clients.find(url as ClientId),
    /** What is stored about a document. */
    record: async (url: string) => (await here.store.database.clientDocuments.find(url as never)).record,
  };
}
