import { type ClientId, nowSeconds, ThrottledError } from '@vestibule/protocol';
import type { MonotonicClock, Scheduler } from '@vestibule/protocol/runtime';
import type { Client } from '../client.js';
import { isClientExpired } from '../client-expiry.js';
import type { UnusedClientCap } from '../client-repository.js';
import { isPermittedHost } from './document-hosts.js';
import { ageOf } from './document-lifetime.js';
import type { DocumentLease, DocumentRecord } from './document-record.js';
import {
  blockedDocument,
  DocumentRefusal,
  documentOfOtherHost,
  refusedDocument,
} from './document-refusal.js';
import { type DocumentUrl, documentUrlProblem, parseDocumentUrl } from './document-url.js';
import { METADATA_DOCUMENT } from './register-document-client.js';
import { renewDueDocuments } from './renew-due-documents.js';
import { type DocumentValidationDeps, validateDocument } from './validate-document.js';

/** Limits of fetches. */
export interface FetchAdmission {
  /**
   * Counts a fetch of a document without a client that was ever used, by the network that caused it.
   * @throws ThrottledError
   */
  unused(network: string): Promise<void>;
  /**
   * Counts a fetch of a document whose client was used, by its host.
   * @throws ThrottledError
   */
  used(host: string): Promise<void>;
}

/** Dependencies of looking up clients by documents. */
export interface DocumentClientDeps extends DocumentValidationDeps {
  readonly scheduler: Scheduler;
  readonly monotonic: MonotonicClock;
  readonly admit: FetchAdmission;
  /** Called for each refusal, for the log and for metrics. */
  readonly onRefused: (url: string, refusal: DocumentRefusal) => void;
  /** Called for each validation that this process performed, with its result. */
  readonly onValidated: (result: 'accepted' | 'refused' | 'failed') => void;
  /** Called when a validation in the background fails because of us. */
  readonly onProblem: (error: unknown) => void;
}

/** Clients that client ID metadata documents register. */
export interface DocumentClients {
  /**
   * Finds the client of a document, which is registered or validated first if that is due. Of all instances one fetches
   * the document, and of parallel calls one waits for it. A client that was registered otherwise is found unchanged.
   * @throws DocumentRefusal, ThrottledError
   */
  find(id: ClientId, network: string): Promise<Client>;
  /** Validates documents that are due, at most 100: a run of a maintenance job. */
  renewDue(): Promise<void>;
}

/** Longer than a fetch and everything after it. */
const LEASE_SECONDS = 10;

/**
 * Pauses between reads of the outcome of another instance. Most fetches take little time; where a host hangs, the many
 * requests that wait for it must not keep the store busy.
 */
const POLL_PAUSES = { firstMs: 15, growth: 1.2, mostMs: 250 };

/** Longer than the deadline of a fetch. */
const LONGEST_WAIT_MS = 3_500;

/**
 * After a longer wait for another instance that left no outcome, the document is not fetched here: a host that hangs would
 * cost the caller that time once more.
 */
const LATEST_FETCH_MS = 1_500;

/** Maximum number of concurrent validations in the background. */
const MAX_RENEWALS = 4;

/** How often a call reads a document again because a validation ended while it read. */
const MAX_REREADS = 3;

/** A validation that runs in this process. */
interface RunningValidation {
  /** The network that caused it, unless the client was used. */
  readonly network: string | undefined;
  /** Whether its fetch was within the limits. */
  readonly isAdmitted: () => boolean;
  readonly client: Promise<Client>;
}

/** A decision about a document without fetching it. */
type Verdict =
  | { readonly use: Client; readonly isRenewable: boolean }
  | { readonly refuse: DocumentRefusal }
  /** Validate it; `fallback` is used if the host cannot be reached. */
  | { readonly validate: true; readonly fallback: Client | undefined };

/** Creates the look-up of clients by documents. Nothing stays in the process but running validations. */
export function documentClients(deps: DocumentClientDeps): DocumentClients {
  const { settings, registration, onRefused } = deps;
  const running = new Map<DocumentUrl, RunningValidation>();
  let renewals = 0;
  /** How many validations have ended. */
  let ended = 0;

  /** One validation in this process at a time, however many calls wait for it, which counts as one fetch. */
  const begun = (url: DocumentUrl, network?: string): RunningValidation => {
    const present = running.get(url);
    if (present !== undefined) return present;
    let isAdmitted = false;
    const validate = async () => {
      await (network === undefined ? deps.admit.used(new URL(url).host) : deps.admit.unused(network));
      isAdmitted = true;
      return validateOnce(deps, url, unusedCap(deps, network));
    };
    const client = validate().finally(() => {
      running.delete(url);
      ended += 1;
    });
    const validation: RunningValidation = { network, isAdmitted: () => isAdmitted, client };
    running.set(url, validation);
    return validation;
  };
  const validated = async (url: DocumentUrl, network: string | undefined): Promise<Client> => {
    const validation = begun(url, network);
    try {
      return await validation.client;
    } catch (error) {
      // The network that began it has reached its limit or has no room. This one may have both.
      const isOfOther = isCapacity(error) || !validation.isAdmitted();
      if (validation.network !== network && isOfOther) return validated(url, network);
      throw error;
    }
  };
  const renew = (url: DocumentUrl, network: string | undefined) => {
    if (renewals >= MAX_RENEWALS || running.has(url)) return;
    renewals += 1;
    begun(url, network)
      .client.catch((error: unknown) => {
        if (!(error instanceof DocumentRefusal || error instanceof ThrottledError)) deps.onProblem(error);
      })
      .finally(() => {
        renewals -= 1;
      });
  };
  const requirePermitted = ({ url, isBlocked }: StoredDocument) => {
    if (isBlocked) throw blockedDocument();
    if (!isPermittedHost(settings.hosts, url)) throw documentOfOtherHost();
  };
  const findByDocument = async (
    url: DocumentUrl,
    network: string,
    rereads = MAX_REREADS,
  ): Promise<Client> => {
    const endedBefore = ended;
    const document = await read(deps, url);
    if (document.client !== undefined && isForeign(document.client)) return document.client;
    requirePermitted(document);
    const causing = document.client?.lastUsedAt === undefined ? network : undefined;
    const verdict = verdictOn(deps, document);
    if ('refuse' in verdict) throw verdict.refuse;
    if ('use' in verdict) {
      if (verdict.isRenewable) renew(url, causing);
      return verdict.use;
    }
    // What was read is older than the outcome of a validation that ended meanwhile, and that would count as another fetch.
    if (ended !== endedBefore && !running.has(url) && rereads > 0)
      return findByDocument(url, network, rereads - 1);
    await orFallback(validated(url, causing), verdict.fallback);
    return clientAfterFetch(deps, url);
  };
  /** The identifier is not the URL of a document. */
  const findOther = async (id: ClientId): Promise<Client> => {
    const client = await registration.clients.find(id);
    if (client !== undefined && isForeign(client)) return client;
    const rule = documentUrlProblem(id, settings.allowHosts) ?? 'is not the URL of a document';
    throw refusedDocument('url', `client_id: ${rule}`);
  };
  return {
    find: async (id, network) => {
      const url = parseDocumentUrl(id, settings.allowHosts);
      try {
        return await (url === undefined ? findOther(id) : findByDocument(url, network));
      } catch (error) {
        if (error instanceof DocumentRefusal) onRefused(id, error);
        throw error;
      }
    },
    renewDue: () => {
      const validate = (lease: DocumentLease) => validateLeased(deps, lease);
      return renewDueDocuments({ ...deps, validate }, LEASE_SECONDS);
    },
  };
}

const NEW_RECORD: DocumentRecord = { validators: {}, history: [] };

interface StoredDocument {
  readonly url: DocumentUrl;
  readonly record: DocumentRecord;
  readonly client: Client | undefined;
  readonly isLeased: boolean;
  readonly isBlocked: boolean;
}

/** The cap that an unknown document is subject to, if there is one. */
function unusedCap(
  { settings: { maxUnused: most }, registration: { digester } }: DocumentClientDeps,
  network: string | undefined,
): UnusedClientCap | undefined {
  return most === 0 || network === undefined
    ? undefined
    : { most, network: digester.availableDigests('network', network) };
}

/** Validates a document here, or waits until another instance has done it. */
async function validateOnce(
  deps: DocumentClientDeps,
  url: DocumentUrl,
  cap: UnusedClientCap | undefined,
): Promise<Client> {
  const begunAtMs = deps.monotonic();
  let isHeld = false;
  let pauseMs = POLL_PAUSES.firstMs;
  while (deps.monotonic() - begunAtMs <= (isHeld ? LONGEST_WAIT_MS : LATEST_FETCH_MS)) {
    const outcome = isHeld ? 'held' : await deps.store.lease(url, LEASE_SECONDS, cap);
    if (outcome === 'no_room')
      throw refusedDocument('capacity', 'there are too many unused documents; try again later');
    if (outcome !== 'held') return validateLeased(deps, outcome);
    await pause(deps.scheduler, pauseMs);
    pauseMs = Math.min(POLL_PAUSES.mostMs, pauseMs * POLL_PAUSES.growth);
    const document = await read(deps, url);
    isHeld = document.isLeased;
    if (isHeld) continue;
    const verdict = verdictOn(deps, document);
    if ('use' in verdict) return verdict.use;
    if ('refuse' in verdict) throw verdict.refuse;
  }
  throw new ThrottledError(1, 'another instance validates the document');
}

/** Another instance may have validated the document just before the lease was obtained. */
async function validateLeased(deps: DocumentClientDeps, lease: DocumentLease): Promise<Client> {
  const { store, onValidated, registration } = deps;
  const leasedAt = nowSeconds(registration.clock);
  const isLeaseOver = () => nowSeconds(registration.clock) - leasedAt >= LEASE_SECONDS;
  const document = await read(deps, lease.url);
  const verdict = verdictOn(deps, document);
  if ('refuse' in verdict || ('use' in verdict && !verdict.isRenewable)) {
    await store.release(lease);
    if ('refuse' in verdict) throw verdict.refuse;
    return verdict.use;
  }
  try {
    const client = await validateDocument(deps, { ...document, lease }, isLeaseOver);
    onValidated('accepted');
    return client;
  } catch (error) {
    const isStored = error instanceof DocumentRefusal;
    onValidated(isStored ? 'refused' : 'failed');
    if (!isStored) await store.release(lease);
    throw error;
  }
}

/** Decides what can be decided without a fetch. */
function verdictOn(
  { registration: { clock }, settings }: DocumentClientDeps,
  { record, client, isBlocked }: StoredDocument,
): Verdict {
  if (isBlocked) return { refuse: blockedDocument() };
  const now = nowSeconds(clock);
  const { problem } = record;
  const isPaused = problem !== undefined && now < problem.retryAt;
  // A disabled client stays disabled, whatever its document says.
  if (client !== undefined && (isForeign(client) || client.status !== 'active'))
    return { use: client, isRenewable: false };
  const age = client === undefined ? 'outdated' : ageOf(record, now, settings.staleSeconds);
  if (
    client === undefined ||
    age === 'outdated' ||
    (problem !== undefined && problem.reason !== 'unavailable')
  )
    return isPaused ? { refuse: new DocumentRefusal(problem) } : { validate: true, fallback: undefined };
  if (isPaused) return { use: client, isRenewable: false };
  return age === 'stale'
    ? { validate: true, fallback: client }
    : { use: client, isRenewable: age === 'renewable' };
}

/** The result of a validation, or the client that may be used while its host cannot be reached. */
async function orFallback(validation: Promise<Client>, fallback: Client | undefined): Promise<Client> {
  try {
    return await validation;
  } catch (error) {
    if (fallback !== undefined && isTemporary(error)) return fallback;
    throw error;
  }
}

/** The client as it is now: an operator may have suspended, blocked or deleted it while its host took time to respond. */
async function clientAfterFetch(deps: DocumentClientDeps, url: DocumentUrl): Promise<Client> {
  const { client, isBlocked } = await read(deps, url);
  if (isBlocked) throw blockedDocument();
  if (client === undefined) throw new ThrottledError(1, 'the client was deleted during the fetch');
  return client;
}

function isCapacity(error: unknown): boolean {
  return error instanceof DocumentRefusal && error.reason === 'capacity';
}

/** Whether an error is about reaching the host, not about the document. */
function isTemporary(error: unknown): boolean {
  return (
    error instanceof ThrottledError || (error instanceof DocumentRefusal && error.reason === 'unavailable')
  );
}

/** Whether a client was registered otherwise than by its document. */
function isForeign({ origin }: Client): boolean {
  return origin !== METADATA_DOCUMENT;
}

/** Reads what is stored; an expired client is unknown. */
async function read(
  { store, registration: { clock } }: DocumentClientDeps,
  url: DocumentUrl,
): Promise<StoredDocument> {
  const { record = NEW_RECORD, isLeased, isBlocked, client } = await store.find(url);
  const isPresent = client !== undefined && !isClientExpired(client, nowSeconds(clock));
  return {
    url,
    client: isPresent ? client : undefined,
    isLeased,
    isBlocked,
    record,
  };
}

function pause(scheduler: Scheduler, ms: number): Promise<void> {
  return new Promise((resolve) => {
    scheduler.after(ms, resolve);
  });
}
