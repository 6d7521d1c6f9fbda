export {
  CONFIRMATION_LIFETIME_SECONDS,
  type ConfirmationDeps,
  type ConfirmationStanding,
  issueConfirmation,
  type Question,
  redeemConfirmation,
} from './confirmation.js';
export { type DecisionDeps, decideLogout, type LogoutDecision, type LogoutOutcome } from './decide-logout.js';
export { type FrontchannelTarget, frontchannelTargets, MAX_FRONTCHANNEL_TARGETS } from './frontchannel.js';
export {
  type IdTokenHint,
  type IdTokenHintDeps,
  type PresentedHint,
  readIdTokenHint,
} from './id-token-hint.js';
export { type HintStanding, type JudgeDeps, judgeLogout, type LogoutCase } from './judge-logout.js';
export {
  LOGOUT_PARAMETERS,
  type LogoutParameter,
  type LogoutRequest,
  parseLogoutRequest,
  STATE_MAX_BYTES,
} from './logout-request.js';
export type {
  FrontchannelClient,
  LogoutSession,
  LogoutSessions,
  SessionClient,
  SessionIdentity,
} from './logout-sessions.js';
export { postLogoutRedirect } from './post-logout-redirect.js';
