import { DomainError } from '@vestibule/protocol';

/** Why a document registers no client. */
export const DOCUMENT_REFUSAL_REASONS = [
  /** The client identifier is not the URL of a document. */
  'url',
  /** The host is not permitted. */
  'host',
  /** An operator has blocked it, or the client that it registered. It was not fetched. */
  'blocked',
  /** The document is unknown, and there are too many unused ones. It was not fetched. */
  'capacity',
  /** The document could not be fetched. */
  'unavailable',
  /** The host says that there is no document. */
  'withdrawn',
  /** The content is not the JSON object of a document with this URL. */
  'content',
  /** The content has or needs a secret. */
  'secret',
  /** A URI has another origin than the document. */
  'uri',
  /** The metadata, the policy or the granted scopes refuse it. */
  'metadata',
] as const;

/** A reason from the closed list, for metrics and records. */
export type DocumentRefusalReason = (typeof DOCUMENT_REFUSAL_REASONS)[number];

/** A refused document. */
export interface DocumentProblem {
  readonly reason: DocumentRefusalReason;
  /** One sentence for the client and the person, without anything that a fetch revealed. */
  readonly description: string;
  /** One sentence for operators. */
  readonly detail: string;
}

/** Refuses a client because of its document: `invalid_client`, with the sentence that everyone may see. */
export class DocumentRefusal extends DomainError {
  readonly reason: DocumentRefusalReason;

  constructor({ reason, description, detail }: DocumentProblem) {
    super('invalid_client', description, { detail });
    this.reason = reason;
  }

  /** What is recorded about it. */
  get problem(): DocumentProblem {
    const { reason, description, message: detail } = this;
    return { reason, description, detail };
  }
}

/** A refusal for a rule that the document breaks, which everyone may read in the document itself. */
export function refusedDocument(reason: DocumentRefusalReason, rule: string): DocumentRefusal {
  return new DocumentRefusal({
    reason,
    description: `The client ID metadata document was refused: ${rule}`,
    detail: rule,
  });
}

/** The refusal of a document whose host the settings do not permit. */
export function documentOfOtherHost(): DocumentRefusal {
  return refusedDocument('host', 'its host is not permitted here');
}

/** The refusal of a document that an operator has blocked. */
export function blockedDocument(): DocumentRefusal {
  return refusedDocument('blocked', 'the operator of this server has blocked it');
}

/** The same sentence for every failed fetch, so that a client cannot explore the network behind the server. */
export const UNAVAILABLE = 'The client ID metadata document could not be fetched.';
