export { type BatchLoader, type BatchLoaderOptions, batchLoader, OverloadedError } from './batch-loader.js';
export { type BoundedMap, type BoundedMapOptions, boundedMap } from './bounded-map.js';
export { afterPendingInput, nodeScheduler } from './node-scheduler.js';
export { type CountProblem, reportLimit } from './report-limit.js';
export { type RetryOccasion, retryWaitMs } from './retry-wait.js';
export type { MonotonicClock, Scheduler } from './scheduler.js';
export { type Deadline, DeadlineError, withinDeadline } from './within-deadline.js';
