export {
  type AttemptDeps,
  type DeliveryAttempt,
  deliveryAttempt,
  type LogoutTokenSender,
} from './delivery-attempt.js';
export type {
  ClaimedDeliveries,
  DeliveryClaim,
  DeliveryOutbox,
  DeliverySelection,
  DeliveryTarget,
  ExpiredSessions,
  RedeliveryOutcome,
  WaitingDeliveries,
} from './delivery-outbox.js';
export {
  type DeliveryBounds,
  type DeliveryWorker,
  type DeliveryWorkerOptions,
  startDeliveryWorker,
} from './delivery-worker.js';
export { type AttemptOutcome, evaluateResponse, type PostResponse } from './evaluate-response.js';
export type { ClaimedDelivery, DeliveryRecord, DeliveryResult, DeliveryState } from './logout-delivery.js';
