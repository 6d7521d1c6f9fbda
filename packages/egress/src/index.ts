export { isPublicAddress } from './address.js';
export type { BudgetLimits } from './budget.js';
export type { ResponseCaching, ResponseValidators } from './cache-headers.js';
export { clientDocumentSource } from './client-document-source.js';
export {
  createEgress,
  type Egress,
  type EgressHostClass,
  type EgressOptions,
  type FetchCacheableRequest,
  type FetchDocumentRequest,
  type PostRequest,
} from './egress.js';
export { keySetFetcher } from './key-set-fetcher.js';
export type { NameLookup } from './name-lookup.js';
export type {
  EgressAcceptance,
  EgressCacheableDocument,
  EgressCacheableOutcome,
  EgressDocument,
  EgressFailure,
  EgressFailureReason,
  EgressNotModified,
  EgressOutcome,
  EgressPostOutcome,
} from './outcome.js';
export { sectorIdentifierSource } from './sector-identifier-source.js';
export { documentFetchers, type StatementFetcherOptions, statementFetchers } from './statement-fetcher.js';
export { tracedEgress } from './traced-egress.js';
