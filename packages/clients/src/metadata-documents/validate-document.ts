import { sha256 } from '@vestibule/crypto';
import { type EpochSeconds, epochSeconds, nowSeconds, ThrottledError } from '@vestibule/protocol';
import type { Client } from '../client.js';
import { acceptDocument, asRefusal } from './accept-document.js';
import { freshUntil } from './document-lifetime.js';
import {
  type DocumentEvent,
  type DocumentLease,
  type DocumentRecord,
  type DocumentStore,
  withEvent,
} from './document-record.js';
import { type DocumentProblem, DocumentRefusal, UNAVAILABLE } from './document-refusal.js';
import type { DocumentSettings } from './document-settings.js';
import type { DocumentCaching, DocumentFetch, DocumentSource } from './document-source.js';
import {
  type DocumentRegistrationDeps,
  METADATA_DOCUMENT,
  registerDocumentClient,
} from './register-document-client.js';

/** Dependencies of validating documents. */
export interface DocumentValidationDeps extends DocumentRegistrationDeps {
  readonly settings: DocumentSettings;
  readonly store: DocumentStore;
  readonly source: DocumentSource;
}

/** A document to validate, as it was stored after it was leased. */
export interface ValidatedDocument {
  readonly lease: DocumentLease;
  readonly record: DocumentRecord;
  /** The client that it registered. */
  readonly client: Client | undefined;
}

/** The time after which an overloaded server may have capacity again. */
const RETRY_SECONDS = 5;

/**
 * Fetches a document once, registers or changes its client, and stores the outcome, unless the lease is over by then:
 * another instance may have stored a newer outcome.
 * @throws DocumentRefusal, which is stored; ThrottledError, which is not
 */
export async function validateDocument(
  deps: DocumentValidationDeps,
  document: ValidatedDocument,
  isLeaseOver: () => boolean,
): Promise<Client> {
  const { lease, record, client } = document;
  // A document that is still current is not sent again, and so cannot be registered or read by changed rules.
  const mayBeUnchanged = client !== undefined && record.rules === deps.settings.rules;
  const fetched = await deps.source.fetch(lease.url, mayBeUnchanged ? record.validators : {});
  if (isLeaseOver()) throw endedLease();
  const now = nowSeconds(deps.registration.clock);
  switch (fetched.outcome) {
    case 'overloaded':
      throw new ThrottledError(RETRY_SECONDS, 'too many outbound requests');
    case 'failed':
      throw await refuse(deps, document, problemOf('unavailable', fetched.detail), now);
    case 'missing':
      throw await withdraw(deps, document, fetched, now);
    case 'unchanged':
      if (client === undefined) throw new Error('a document was unchanged that was not stored');
      await save(deps, lease, accepted(deps, record, { caching: fetched.caching, now }), now);
      return client;
    case 'fetched':
      return register(deps, document, fetched, now);
  }
}

async function register(
  deps: DocumentValidationDeps,
  document: ValidatedDocument,
  { text, caching }: Extract<DocumentFetch, { readonly outcome: 'fetched' }>,
  now: EpochSeconds,
): Promise<Client> {
  const { lease, record } = document;
  const { url } = lease;
  try {
    const metadata = await acceptDocument(deps, url, text);
    const client = await registerDocumentClient(deps, url, metadata, document.client);
    const digest = Buffer.from(sha256(text)).toString('base64url');
    // Validators of the content before would keep a later one away.
    const renewed = accepted(deps, { ...record, validators: {} }, { caching, now, digest });
    await save(deps, lease, renewed, now);
    return client;
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof DocumentRefusal)) throw error;
    const { withdrawnAt: _back, ...present } = record;
    throw await refuse(deps, { ...document, record: present }, refusal.problem, now);
  }
}

/** @throws ThrottledError if the lease has ended */
async function save(
  { store }: Pick<DocumentValidationDeps, 'store'>,
  lease: DocumentLease,
  record: DocumentRecord,
  now: EpochSeconds,
): Promise<void> {
  if (!(await store.save(lease, record, now))) throw endedLease();
}

function endedLease(): ThrottledError {
  return new ThrottledError(1, 'the validation took longer than its lease');
}

interface Acceptance {
  readonly caching: DocumentCaching;
  readonly now: EpochSeconds;
  /** Absent if the content was not sent again. */
  readonly digest?: string;
}

function accepted(
  { settings }: DocumentValidationDeps,
  { problem, withdrawnAt: _gone, history, ...record }: DocumentRecord,
  { caching, now, digest = record.digest }: Acceptance,
): DocumentRecord {
  const { etag, lastModified } = caching;
  const event = eventOf(record, problem, digest);
  return {
    ...record,
    validators: {
      ...record.validators,
      ...(etag !== undefined && { etag }),
      ...(lastModified !== undefined && { lastModified }),
    },
    ...(digest !== undefined && { digest }),
    rules: settings.rules,
    validatedAt: now,
    freshUntil: freshUntil(now, caching, settings),
    history: event === undefined ? history : withEvent(history, { at: now, event, detail: digest ?? '' }),
  };
}

function eventOf(
  { digest: before }: Pick<DocumentRecord, 'digest'>,
  problem: DocumentProblem | undefined,
  digest: string | undefined,
): DocumentEvent['event'] | undefined {
  if (before === undefined) return 'registered';
  if (before !== digest) return 'changed';
  return problem === undefined ? undefined : 'accepted';
}

/**
 * Stores a refusal; the last good state stays, in case the host is only unavailable.
 * @throws ThrottledError if the lease has ended
 */
async function refuse(
  deps: DocumentValidationDeps,
  { lease, record, client }: ValidatedDocument,
  found: DocumentProblem,
  now: EpochSeconds,
): Promise<DocumentRefusal> {
  const problem = client === undefined ? found : lastingProblem(record, found);
  const retryAt = epochSeconds(now + deps.settings.retrySeconds);
  const isNews = record.problem?.detail !== problem.detail;
  const event = { at: now, event: 'refused', detail: `${problem.reason}: ${problem.detail}` } as const;
  const history = isNews ? withEvent(record.history, event) : record.history;
  await save(deps, lease, { ...record, problem: { ...problem, at: now, retryAt }, history }, now);
  return new DocumentRefusal(problem);
}

/**
 * A host that cannot be reached says nothing new about a document that was withdrawn or became invalid; otherwise the
 * state before would count again.
 */
function lastingProblem({ problem: before }: DocumentRecord, found: DocumentProblem): DocumentProblem {
  return found.reason === 'unavailable' && before !== undefined ? before : found;
}

/** Stores a refusal of a document that was not fetched. */
export async function recordRefusal(
  deps: DocumentValidationDeps,
  lease: DocumentLease,
  problem: DocumentProblem,
): Promise<void> {
  const { record, client } = await deps.store.find(lease.url);
  if (record === undefined) return;
  await refuse(deps, { lease, record, client }, problem, nowSeconds(deps.registration.clock));
}

/** A document that is gone is refused; if it stays away, the operator's rule ends its client. */
async function withdraw(
  deps: DocumentValidationDeps,
  document: ValidatedDocument,
  { detail }: Extract<DocumentFetch, { readonly outcome: 'missing' }>,
  now: EpochSeconds,
): Promise<DocumentRefusal> {
  const { record, client } = document;
  const { withdrawn, withdrawnSeconds } = deps.settings;
  const withdrawnAt = record.withdrawnAt ?? now;
  const isOver = withdrawn === 'end' && client !== undefined && now - withdrawnAt >= withdrawnSeconds;
  if (isOver)
    await deps.registration.clients.delete(client.id, now, {
      actor: METADATA_DOCUMENT,
      ifVersion: client.version,
    });
  const ended = isOver ? { validators: {}, history: record.history } : record;
  return refuse(
    deps,
    { ...document, record: { ...ended, withdrawnAt } },
    problemOf('withdrawn', isOver ? `${detail}; the client was deleted` : detail),
    now,
  );
}

function problemOf(reason: DocumentProblem['reason'], detail: string): DocumentProblem {
  return { reason, description: UNAVAILABLE, detail };
}
