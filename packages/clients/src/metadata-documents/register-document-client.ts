import type { ClientMetadata } from '@vestibule/metadata';
import { type EpochSeconds, epochSeconds, nowSeconds, ThrottledError } from '@vestibule/protocol';
import { isSameJson } from '@vestibule/protocol/json';
import type { Client } from '../client.js';
import { isClientExpired } from '../client-expiry.js';
import { requireSector } from '../registration/sector-check.js';
import { asRefusal, type DocumentAcceptanceDeps } from './accept-document.js';
import { type DocumentRefusal, refusedDocument } from './document-refusal.js';
import type { DocumentSettings } from './document-settings.js';
import type { DocumentUrl } from './document-url.js';

/** Dependencies of registering clients by documents. */
export interface DocumentRegistrationDeps extends DocumentAcceptanceDeps {
  readonly settings: DocumentAcceptanceDeps['settings'] & Pick<DocumentSettings, 'unusedSeconds'>;
}

/** The origin of clients that a document registered. */
export const METADATA_DOCUMENT = 'metadata_document';

/**
 * Registers the client of a document, or changes it to what the document says now. Its status, custom data and tokens
 * stay. A client with this identifier that was registered otherwise is never touched.
 * @param known the client as it was before the document was fetched, unless there was none or it had expired. Only that
 *   state is changed: a later one may be the outcome of a later fetch.
 * @throws DocumentRefusal when the identifier belongs to something else, or the change would move a client with pairwise
 *   subjects to another sector; ThrottledError when the client was changed meanwhile
 */
export async function registerDocumentClient(
  deps: DocumentRegistrationDeps,
  url: DocumentUrl,
  metadata: ClientMetadata,
  known: Client | undefined,
): Promise<Client> {
  const now = nowSeconds(deps.registration.clock);
  const registered =
    known === undefined
      ? await tryToCreate(deps, newClient(deps, { url, metadata, now }))
      : await tryToChange(deps, known, { metadata, now });
  if (registered === undefined) throw new ThrottledError(1, 'the client was changed during the fetch');
  return registered;
}

/** An expired client is deleted first, with everything issued to it. */
async function tryToCreate(
  { registration: { clients } }: DocumentRegistrationDeps,
  client: Client,
): Promise<Client | undefined> {
  const present = await clients.find(client.id);
  if (present !== undefined) {
    if (!isClientExpired(present, client.issuedAt)) {
      if (present.origin !== METADATA_DOCUMENT) throw takenIdentifier();
      return undefined;
    }
    await clients.delete(present.id, client.issuedAt, { actor: 'service', ifVersion: present.version });
  }
  const outcome = await clients.create(client, { actor: METADATA_DOCUMENT });
  if (outcome === 'created') return client;
  // Another client has it as its resource identifier, or was registered at this moment.
  if ((await clients.find(client.id)) === undefined) throw takenIdentifier();
  return undefined;
}

async function tryToChange(
  { registration: { clients } }: DocumentRegistrationDeps,
  present: Client,
  { metadata, now }: { readonly metadata: ClientMetadata; readonly now: EpochSeconds },
): Promise<Client | undefined> {
  if (present.origin !== METADATA_DOCUMENT) throw takenIdentifier();
  if (isSameJson(present.metadata, metadata)) return present;
  requireOneSector(present, metadata);
  const client: Client = { ...present, metadata, updatedAt: now, version: present.version + 1 };
  return (await clients.replace({ client, actor: METADATA_DOCUMENT })) ? client : undefined;
}

function takenIdentifier(): DocumentRefusal {
  return refusedDocument('metadata', 'its URL is the identifier of another client');
}

function newClient(
  { settings: { grantedScopes, unusedSeconds } }: DocumentRegistrationDeps,
  {
    url: id,
    metadata,
    now,
  }: { readonly url: DocumentUrl; readonly metadata: ClientMetadata; readonly now: EpochSeconds },
): Client {
  return {
    id,
    metadata,
    grantedScopes,
    origin: METADATA_DOCUMENT,
    status: 'active',
    issuedAt: now,
    updatedAt: now,
    version: 1,
    // The first use makes it permanent.
    ...(unusedSeconds > 0 && { expiresAt: epochSeconds(now + unusedSeconds) }),
  };
}

function requireOneSector({ metadata: before }: Client, after: ClientMetadata): void {
  try {
    requireSector(before, after);
  } catch (error) {
    throw asRefusal(error);
  }
}
