export { type ConfirmationDeps, issueConfirmation, redeemConfirmation } from './confirmation.js';
export { type DecisionDeps, decideLogout, type LogoutDecision, type LogoutOutcome } from './decide-logout.js';
export {
  type EvaluationDeps,
  evaluateLogout,
  type LogoutCase,
  type RedirectRefusal,
} from './evaluate-logout.js';
export {
  type IdTokenHint,
  type IdTokenHintDeps,
  type PresentedHint,
  readIdTokenHint,
} from './id-token-hint.js';
export {
  type DeliveryStates,
  issueReceipt,
  type NotificationState,
  type ReceiptDeps,
  readReceipt,
} from './logout-receipt.js';
export {
  LOGOUT_PARAMETERS,
  type LogoutParameter,
  type LogoutRequest,
  parseLogoutRequest,
} from './logout-request.js';
export {
  issueLogoutReturn,
  type LogoutReturn,
  type LogoutReturnDeps,
  readLogoutReturn,
} from './logout-return.js';
export type {
  EndedClient,
  LogoutSession,
  LogoutSessions,
  SessionClient,
  SessionIdentity,
} from './logout-sessions.js';
export { type FrontchannelPage, type NotifiedClient, notificationPlan } from './notification-plan.js';
export { postLogoutRedirect } from './post-logout-redirect.js';
