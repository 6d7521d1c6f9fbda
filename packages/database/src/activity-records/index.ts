export type {
  ActivityCounts,
  ActivityRecords,
  ActivityWindow,
  BoundedCount,
  EndingToken,
  WaitingWork,
} from './activity-records.js';
