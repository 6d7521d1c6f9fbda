export {
  CHANGE_REASONS,
  CHANGE_TYPES,
  type Change,
  type ChangeReason,
  type ChangeType,
  changeEvent,
  REVOCATION_RANGES,
} from './change.js';
export type { ChangeDeliveries, DeliveryProgress } from './change-deliveries.js';
export type {
  ChangeLog,
  ChangeNotices,
  ChangePage,
  LatestChange,
  OpenChangeNotices,
} from './change-log.js';
export {
  type ChangeFollowerDeps,
  type ChangeStart,
  changeFollower,
  type FollowChanges,
  LIST_SIZE,
} from './follow-changes.js';
export { issueSecurityEvent, SESSION_REVOKED, type SecurityEventDeps } from './security-event.js';
