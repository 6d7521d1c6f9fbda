export {
  CONFIRMATION_LIFETIME_SECONDS,
  type ConfirmationDeps,
  type ConfirmationStatus,
  issueConfirmation,
  type Question,
  redeemConfirmation,
} from './confirmation.js';
export { type DecisionDeps, decideLogout, type LogoutDecision, type LogoutOutcome } from './decide-logout.js';
export { type AttemptDeps, attemptDelivery, type LogoutTokenSender } from './delivery/attempt-delivery.js';
export type {
  ClaimedDeliveries,
  DeliveryClaim,
  DeliveryOutbox,
  DeliverySelection,
  DeliveryTarget,
  ExpiredSessions,
  HostSlots,
  RedeliveryOutcome,
  TargetSlots,
  TurnPosition,
  WaitingDeliveries,
} from './delivery/delivery-outbox.js';
export {
  type DeliveryBounds,
  type DeliveryWorker,
  type DeliveryWorkerOptions,
  startDeliveryWorker,
} from './delivery/delivery-worker.js';
export { type AttemptOutcome, judgeResponse, type PostResponse } from './delivery/judge-response.js';
export type {
  ClaimedDelivery,
  DeliveryRecord,
  DeliveryResult,
  DeliveryState,
} from './delivery/logout-delivery.js';
export {
  type IdTokenHint,
  type IdTokenHintDeps,
  type PresentedHint,
  readIdTokenHint,
} from './id-token-hint.js';
export {
  type HintStatus,
  type JudgeDeps,
  judgeLogout,
  type LogoutCase,
  type RedirectRefusal,
} from './judge-logout.js';
export {
  type DeliveryStates,
  issueReceipt,
  type NotificationState,
  RECEIPT_LIFETIME_SECONDS,
  type ReceiptDeps,
  readReceipt,
} from './logout-receipt.js';
export {
  LOGOUT_PARAMETERS,
  type LogoutParameter,
  type LogoutRequest,
  parseLogoutRequest,
  STATE_MAX_BYTES,
} from './logout-request.js';
export type {
  EndedClient,
  LogoutSession,
  LogoutSessions,
  SessionClient,
  SessionIdentity,
} from './logout-sessions.js';
export { type FrontchannelPage, type NotifiedClient, notificationPlan } from './notification-plan.js';
export { postLogoutRedirect } from './post-logout-redirect.js';
