import type { Client } from '@vestibule/clients';
import {
  type DocumentClients,
  DocumentRefusal,
  METADATA_DOCUMENT,
} from '@vestibule/clients/metadata-documents';
import type { Adapter, AdapterFactory } from '@vestibule/oidc-provider-adapter';
import { type ClientId, parseClientId } from '@vestibule/protocol';
import { refusalDelay } from '@vestibule/service/federation';
import { Provider, type ProviderContext } from 'oidc-provider';
import { presentedError } from './presented-error.js';
import type { ProviderDeps } from './provider-deps.js';
import { networkOfRequest } from './stored-request-limit.js';

type DocumentDeps = Pick<ProviderDeps, 'documents' | 'clients' | 'automatic'>;

/** The endpoints at which a client is registered by its document, or its document validated. */
const ROUTES: ReadonlySet<string | undefined> = new Set([
  'authorization',
  'pushed_authorization_request',
  'token',
]);

/**
 * Lets the library find clients by their client ID metadata documents: a document is fetched when its client is looked
 * up and that is due (draft-ietf-oauth-client-id-metadata-document-03 section 5). If documents are off, clients that one
 * registered are unknown.
 */
export function withDocumentClients(
  factory: AdapterFactory,
  deps: DocumentDeps,
  propertiesOf: PropertiesOf,
): AdapterFactory {
  return (model) => {
    const adapter = factory(model);
    return model === 'Client' ? { ...adapter, find: finder(adapter, deps, propertiesOf) } : adapter;
  };
}

/** Returns what the library gets of a client that was found; `undefined` if it may not take part in flows. */
type PropertiesOf = (client: Client) => Promise<object | undefined>;

/** Whether an identifier may be the URL of a document; no generated one is. */
export function isNamedByUrl(id: string): boolean {
  return /^https?:/.test(id);
}

function namedByUrl(id: string): ClientId | undefined {
  return isNamedByUrl(id) ? parseClientId(id) : undefined;
}

function finder(
  adapter: Adapter,
  { documents, clients, automatic }: DocumentDeps,
  propertiesOf: PropertiesOf,
): Adapter['find'] {
  const { find } = adapter;
  const findOther = unlessDocument(adapter, clients);
  if (documents === undefined) return findOther;
  const lookUp = lookUps(documents);
  return async (id) => {
    const { ctx } = Provider;
    const clientId = namedByUrl(id);
    if (ctx === undefined || clientId === undefined || !ROUTES.has(ctx.oidc.route)) return find(id);
    try {
      const client = await lookUp(ctx, clientId);
      if (client.origin === METADATA_DOCUMENT) return await propertiesOf(client);
    } catch (error) {
      // A federation entity has no document. A client that a document registered stays refused.
      const entity = automatic !== undefined && isMissing(error) ? await findOther(id) : undefined;
      if (entity !== undefined) return entity;
      throw presentedError(ctx, error);
    }
    return find(id);
  };
}

function unlessDocument({ find }: Adapter, clients: DocumentDeps['clients']): Adapter['find'] {
  return async (id) => {
    const clientId = namedByUrl(id);
    const present = clientId && (await clients.find(clientId));
    return present?.origin === METADATA_DOCUMENT ? undefined : find(id);
  };
}

/** One look-up of each client for each request: if a request is refused, the library looks up its client once more. */
function lookUps(documents: DocumentClients): (ctx: ProviderContext, id: ClientId) => Promise<Client> {
  const begun = new WeakMap<object, Map<ClientId, Promise<Client>>>();
  return (ctx, id) => {
    const ofRequest = begun.get(ctx) ?? new Map<ClientId, Promise<Client>>();
    begun.set(ctx, ofRequest);
    const delayed = refusalDelay();
    const lookUp = ofRequest.get(id) ?? documents.find(id, networkOfRequest(ctx.req)).catch(delayed);
    ofRequest.set(id, lookUp);
    return lookUp;
  };
}

const MISSING: readonly string[] = ['url', 'host', 'capacity', 'unavailable', 'withdrawn'];

function isMissing(error: unknown): boolean {
  return error instanceof DocumentRefusal && MISSING.includes(error.reason);
}
