export {
  CHANGE_REASONS,
  CHANGE_TYPES,
  type Change,
  type ChangeReason,
  type ChangeType,
  changeEvent,
  REVOCATION_RANGES,
} from './change.js';
export {
  type ChangeLog,
  type ChangeNotices,
  type ChangePage,
  type ChangePosition,
  LOG_START,
  type PlacedChange,
} from './change-log.js';
export { type ChangeStart, type FollowDeps, followChanges } from './follow-changes.js';
