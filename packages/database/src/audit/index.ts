export { chainHeadText, parseChainHead } from './chain-head.js';
export { sessionTarget, subjectTarget } from './event-target.js';
export { exportRecord } from './export-record.js';
export { type ExportedEvent, exportedEvent } from './exported-event.js';
export {
  type AuditFilter,
  type AuditListing,
  type AuditPage,
  type AuditPosition,
  type ListedEvents,
  SEARCHED_EVENTS,
} from './listed-events.js';
export type { AuditRecord } from './read-events.js';
export type { AuditChainVerdict, ChainRange } from './verify-chain.js';
