import type { GrantedScopes } from '@vestibule/scopes';
import type { DocumentHosts } from './document-hosts.js';

/** Settings of client ID metadata documents. Times are whole seconds. */
export interface DocumentSettings {
  readonly hosts: DocumentHosts;
  /** Hosts that may use http, only for development and tests. */
  readonly allowHosts: readonly string[];
  /** Bounds of the time for which a validated document counts, whatever its headers say. */
  readonly minSeconds: number;
  readonly maxSeconds: number;
  /** How much longer it counts while its host cannot be reached. */
  readonly staleSeconds: number;
  /** Pause after a failed validation before the document is fetched again. */
  readonly retrySeconds: number;
  /** How long a client that was never used stays; 0 for ever. */
  readonly unusedSeconds: number;
  /**
   * Maximum number of documents without a client or with an unused one, of which each network may hold at most as many as
   * the cap leaves room for; beyond it, unknown documents are refused. 0: no limit.
   */
  readonly maxUnused: number;
  /** Whether the URIs of a document must have its origin. */
  readonly uris: 'same_origin' | 'any';
  /** What happens after the document has been gone for `withdrawnSeconds`. */
  readonly withdrawn: 'end' | 'refuse';
  readonly withdrawnSeconds: number;
  /** Identifies the rules by which documents are accepted, this server's policy included. */
  readonly rules: string;
  /** What a document may register. */
  readonly grantedScopes: GrantedScopes;
}
