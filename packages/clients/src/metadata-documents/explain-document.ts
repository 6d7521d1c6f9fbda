import type { ClientMetadata } from '@vestibule/metadata';
import { parseClientId } from '@vestibule/protocol';
import type { Client } from '../client.js';
import { acceptDocument, type DocumentAcceptanceDeps } from './accept-document.js';
import { isPermittedHost } from './document-hosts.js';
import type { DocumentRecord, DocumentStore, FoundDocument } from './document-record.js';
import {
  blockedDocument,
  type DocumentProblem,
  DocumentRefusal,
  documentOfOtherHost,
  refusedDocument,
  UNAVAILABLE,
} from './document-refusal.js';
import type { DocumentSettings } from './document-settings.js';
import type { DocumentSource } from './document-source.js';
import { type DocumentUrl, documentUrlProblem, parseDocumentUrl } from './document-url.js';
import { METADATA_DOCUMENT } from './register-document-client.js';

/** Dependencies of explaining a document. */
export interface DocumentExplanationDeps extends DocumentAcceptanceDeps {
  readonly settings: DocumentSettings;
  readonly store: Pick<DocumentStore, 'find'>;
  readonly source: DocumentSource;
}

/** Why a document may register a client now, or not. */
export interface DocumentExplanation {
  readonly url: string;
  /** What it would register now; absent if it is refused. */
  readonly metadata?: ClientMetadata;
  /** Why it is refused now. */
  readonly problem?: DocumentProblem;
  /** What is stored about it. */
  readonly record?: DocumentRecord;
  /** The client that it registered. */
  readonly client?: Client;
}

/** Fetches a document now and explains what would come of it. Changes nothing. */
export async function explainDocument(
  deps: DocumentExplanationDeps,
  text: string,
): Promise<DocumentExplanation> {
  const url = parseDocumentUrl(text, deps.settings.allowHosts);
  if (url === undefined) return { url: text, problem: problemOfUrl(text, deps.settings.allowHosts) };
  const found = await deps.store.find(url);
  const { record, client } = found;
  const outcome = await evaluate(deps, url, found).catch((error: unknown) => {
    if (error instanceof DocumentRefusal) return { problem: error.problem };
    throw error;
  });
  return { url, ...outcome, ...(record && { record }), ...(client && { client }) };
}

function problemOfUrl(text: string, allowHosts: readonly string[]): DocumentProblem {
  const rule = documentUrlProblem(text, allowHosts) ?? 'must be printable ASCII';
  return refusedDocument(
    'url',
    `client_id: ${parseClientId(text) === undefined ? 'must be printable ASCII' : rule}`,
  ).problem;
}

async function evaluate(
  deps: DocumentExplanationDeps,
  url: DocumentUrl,
  { client, isBlocked }: FoundDocument,
): Promise<Pick<DocumentExplanation, 'metadata'>> {
  if (!isPermittedHost(deps.settings.hosts, url)) throw documentOfOtherHost();
  if (isBlocked) throw blockedDocument();
  if (client !== undefined && client.origin !== METADATA_DOCUMENT)
    throw refusedDocument('metadata', 'its URL is the identifier of another client');
  const fetched = await deps.source.fetch(url, {});
  if (fetched.outcome === 'fetched') return { metadata: await acceptDocument(deps, url, fetched.text) };
  const detail = 'detail' in fetched ? fetched.detail : 'there is no capacity for outbound requests now';
  const reason = fetched.outcome === 'missing' ? 'withdrawn' : 'unavailable';
  throw new DocumentRefusal({ reason, description: UNAVAILABLE, detail });
}
