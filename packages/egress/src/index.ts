export { isPublicAddress } from './address.js';
export type { BudgetLimits } from './budget.js';
export {
  createEgress,
  type Egress,
  type EgressHostClass,
  type EgressOptions,
  type FetchDocumentRequest,
  type PostRequest,
} from './egress.js';
export { keySetFetcher } from './key-set-fetcher.js';
export type { NameLookup } from './name-lookup.js';
export type {
  EgressAcceptance,
  EgressDocument,
  EgressFailure,
  EgressFailureReason,
  EgressOutcome,
  EgressPostOutcome,
} from './outcome.js';
export { sectorIdentifierSource } from './sector-identifier-source.js';
export { documentFetchers, type StatementFetcherOptions, statementFetchers } from './statement-fetcher.js';
export { tracedEgress } from './traced-egress.js';
