import type { EpochSeconds } from '@vestibule/protocol';
import type { Client } from '../client.js';
import type { UnusedClientCap } from '../client-repository.js';
import type { DocumentProblem } from './document-refusal.js';
import type { DocumentValidators } from './document-source.js';
import type { DocumentUrl } from './document-url.js';

/** An outcome of a validation that differed from the one before. */
export interface DocumentEvent {
  readonly at: EpochSeconds;
  /** `registered` for the first content, `changed` for another one, `refused` with the reason, `accepted` after that. */
  readonly event: 'registered' | 'changed' | 'refused' | 'accepted';
  /** SHA-256 of the content in base64url, or the operator's sentence about a refusal. */
  readonly detail: string;
}

/** The last refusal, if the last validation did not succeed. */
export interface RecordedProblem extends DocumentProblem {
  readonly at: EpochSeconds;
  /** The document is not fetched again before. */
  readonly retryAt: EpochSeconds;
}

/** What is stored about a document, beside the client that it registered. */
export interface DocumentRecord {
  readonly validators: DocumentValidators;
  /** SHA-256 of the content that registered the client, in base64url. */
  readonly digest?: string;
  /** The rules by which that content was accepted; by others it must be read again. */
  readonly rules?: string;
  /** The last successful validation, and until when it counts. */
  readonly validatedAt?: EpochSeconds;
  readonly freshUntil?: EpochSeconds;
  readonly problem?: RecordedProblem;
  /** Since when the host says that there is no document. */
  readonly withdrawnAt?: EpochSeconds;
  /** The last changes, oldest first. */
  readonly history: readonly DocumentEvent[];
}

/** A lease of a document. Its token is that of no later lease. */
export interface DocumentLease {
  readonly url: DocumentUrl;
  readonly token: string;
}

/** A document as it was found, with the client that has its URL, as of one moment. */
export interface FoundDocument {
  /** Absent if nothing is stored about the document. */
  readonly record?: DocumentRecord;
  /** Whether an instance is validating the document now. */
  readonly isLeased: boolean;
  /** Whether an operator has blocked its URL, or the client. */
  readonly isBlocked: boolean;
  /** Even an expired one, or one that was registered otherwise. */
  readonly client?: Client;
}

/** Which documents to validate without requests for them. */
export interface DueDocuments {
  readonly now: EpochSeconds;
  /** Length of the leases, by the clock of the store. */
  readonly seconds: number;
  readonly limit: number;
  /** How long after a refusal a document is not due, except when it has been withdrawn for `withdrawnSeconds`. */
  readonly pauseSeconds: number;
  readonly withdrawnSeconds: number;
}

/** Store of documents, shared by all instances. */
export interface DocumentStore {
  /** Finds what is stored about a document, and its client, as fast as a client alone is found. */
  find(url: DocumentUrl): Promise<FoundDocument>;
  /**
   * Reserves the next validation of a document for the caller, for so many seconds by the clock of the store. Of parallel
   * calls at most one gets the lease, until the record is saved or the time is over. A document of which nothing is stored
   * is subject to the cap, which counts documents that have no client or an unused one; its network is stored.
   */
  lease(
    url: DocumentUrl,
    seconds: number,
    cap?: UnusedClientCap,
  ): Promise<DocumentLease | 'held' | 'no_room'>;
  /**
   * Leases documents of active, used clients whose lifetime is over, those first that were not validated for the longest
   * time. Of parallel calls, each gets other documents.
   */
  leaseDue(due: DueDocuments): Promise<readonly DocumentLease[]>;
  /**
   * Stores the record, and ends the lease. Returns false and changes nothing if the lease has ended before, so that a
   * process that was frozen does not replace a newer outcome. A document that was deleted with its client during the lease
   * is stored anew.
   */
  save(lease: DocumentLease, record: DocumentRecord, now: EpochSeconds): Promise<boolean>;
  /** Ends the lease without a result. Changes nothing if it has ended before. */
  release(lease: DocumentLease): Promise<void>;
}

/** How many changes of a document are kept. */
const MAX_EVENTS = 20;

/** Adds a change to a history, and drops the oldest ones. */
export function withEvent(history: readonly DocumentEvent[], event: DocumentEvent): readonly DocumentEvent[] {
  return [...history, event].slice(-MAX_EVENTS);
}
